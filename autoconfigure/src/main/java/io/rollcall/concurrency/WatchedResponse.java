package io.rollcall.concurrency;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/**
 * Tells a permit what only the writing to a client shows: that the connection is broken, and when a write may block until
 * the client reads. Writes that fit into the response's buffer before anything was sent cannot block.
 */
final class WatchedResponse extends HttpServletResponseWrapper {

    private final Permit permit;
    private @Nullable ServletOutputStream stream;
    private @Nullable PrintWriter writer;

    WatchedResponse(HttpServletResponse response, Permit permit) {
        super(response);
        this.permit = permit;
    }

    @Override
    public ServletOutputStream getOutputStream() throws IOException {
        if (stream == null) {
            stream = new WatchedOutputStream(super.getOutputStream(), this);
        }
        return stream;
    }

    @Override
    public PrintWriter getWriter() throws IOException {
        if (writer == null) {
            writer = new WatchedWriter(super.getWriter(), this);
        }
        return writer;
    }

    @Override
    public void flushBuffer() throws IOException {
        write(Integer.MAX_VALUE, super::flushBuffer);
    }

    /**
     * Writes so many bytes or characters.
     *
     * @param length how many; the largest number for a flush
     */
    void write(int length, Write write) throws IOException {
        boolean timed = permit.timed() && (length >= getBufferSize() || isCommitted());
        if (timed) {
            permit.clientWaited();
        }
        try {
            write.run();
        } catch (IOException ex) {
            broken();
            throw ex;
        } finally {
            if (timed) {
                permit.clientReady();
            }
        }
    }

    void broken() {
        permit.connectionBroken();
    }

    /** A write to the client. */
    @FunctionalInterface
    interface Write {

        void run() throws IOException;
    }
}
