package io.rollcall.concurrency;

import java.io.FilterWriter;
import java.io.IOException;
import java.io.PrintWriter;

/** A response's writer whose writes are watched. Like the one behind it, it keeps its errors to itself. */
final class WatchedWriter extends PrintWriter {

    WatchedWriter(PrintWriter delegate, WatchedResponse response) {
        super(new Watched(delegate, response));
    }

    private static final class Watched extends FilterWriter {

        private final PrintWriter delegate;
        private final WatchedResponse response;

        Watched(PrintWriter delegate, WatchedResponse response) {
            super(delegate);
            this.delegate = delegate;
            this.response = response;
        }

        @Override
        public void write(char[] chars, int offset, int length) throws IOException {
            response.write(length, () -> delegate.write(chars, offset, length));
        }

        @Override
        public void write(String text, int offset, int length) throws IOException {
            response.write(length, () -> delegate.write(text, offset, length));
        }

        @Override
        public void flush() throws IOException {
            response.write(Integer.MAX_VALUE, () -> {
                // Flushes, too; and an exception makes the outer writer's own checkError true.
                if (delegate.checkError()) {
                    throw new IOException("The response cannot be written");
                }
            });
        }
    }
}
