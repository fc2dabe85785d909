package io.rollcall.concurrency;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import java.io.IOException;

/** A response's stream that reports the writes that may wait for the client. */
final class TimedOutputStream extends ServletOutputStream {

    private final ServletOutputStream delegate;
    private final TimedResponse response;

    TimedOutputStream(ServletOutputStream delegate, TimedResponse response) {
        this.delegate = delegate;
        this.response = response;
    }

    @Override
    public void write(int b) throws IOException {
        // Not timed: the clock would cost more than the byte.
        this.delegate.write(b);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        this.response.writing(length);
        try {
            this.delegate.write(bytes, offset, length);
        } finally {
            this.response.written();
        }
    }

    @Override
    public void flush() throws IOException {
        this.response.writing(Integer.MAX_VALUE);
        try {
            this.delegate.flush();
        } finally {
            this.response.written();
        }
    }

    @Override
    public void close() throws IOException {
        this.response.writing(Integer.MAX_VALUE);
        try {
            this.delegate.close();
        } finally {
            this.response.written();
        }
    }

    @Override
    public boolean isReady() {
        return this.delegate.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
        this.delegate.setWriteListener(listener);
    }
}
