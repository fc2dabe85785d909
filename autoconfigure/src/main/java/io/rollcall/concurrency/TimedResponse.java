package io.rollcall.concurrency;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Tells a permit's stopwatch when a write may block until the client reads. Writes that fit into the response's buffer
 * before anything was sent cannot, and are not timed.
 */
final class TimedResponse extends HttpServletResponseWrapper {

    private final Permit permit;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;

    TimedResponse(HttpServletResponse response, Permit permit) {
        super(response);
        this.permit = permit;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (this.stream == null) {
            this.stream = new TimedOutputStream(super.getOutputStream(), this);
        }
        return this.stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (this.writer == null) {
            this.writer = new TimedWriter(super.getWriter(), this);
        }
        return this.writer;
    }

    @Override
    public void flushBuffer() throws IOException {
        this.permit.clientWaited();
        try {
            super.flushBuffer();
        } finally {
            this.permit.clientReady();
        }
    }

    /** Before a write of so many bytes or characters, which {@link #written()} has to follow. */
    void writing(int length) {
        if (length >= getBufferSize() || isCommitted()) {
            this.permit.clientWaited();
        }
    }

    void written() {
        this.permit.clientReady();
    }
}
