package io.rollcall.concurrency;

import java.io.PrintWriter;

/** A response's writer that reports the writes that may wait for the client. */
final class TimedWriter extends PrintWriter {

    private final TimedResponse response;

    TimedWriter(PrintWriter delegate, TimedResponse response) {
        super(delegate);
        this.response = response;
    }

    @Override
    public void write(char[] chars, int offset, int length) {
        this.response.writing(length);
        try {
            super.write(chars, offset, length);
        } finally {
            this.response.written();
        }
    }

    @Override
    public void write(String text, int offset, int length) {
        this.response.writing(length);
        try {
            super.write(text, offset, length);
        } finally {
            this.response.written();
        }
    }

    @Override
    public void flush() {
        this.response.writing(Integer.MAX_VALUE);
        try {
            super.flush();
        } finally {
            this.response.written();
        }
    }
}
