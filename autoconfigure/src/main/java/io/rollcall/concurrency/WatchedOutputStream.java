package io.rollcall.concurrency;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** A response's stream whose writes are watched. */
final class WatchedOutputStream extends ServletOutputStream {

    private final ServletOutputStream delegate;
    private final WatchedResponse response;

    WatchedOutputStream(ServletOutputStream delegate, WatchedResponse response) {
        this.delegate = delegate;
        this.response = response;
    }

    @Override
    public void write(int b) throws IOException {
        // Not timed: the clock would cost more than the byte.
        try {
            delegate.write(b);
        } catch (IOException ex) {
            response.broken();
            throw ex;
        }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        response.write(length, () -> delegate.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
        response.write(Integer.MAX_VALUE, delegate::flush);
    }

    @Override
    public void close() throws IOException {
        response.write(Integer.MAX_VALUE, delegate::close);
    }

    @Override
    public boolean isReady() {
        return delegate.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        delegate.setWriteListener(listener);
    }
}
