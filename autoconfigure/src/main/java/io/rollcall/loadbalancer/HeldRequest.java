package io.rollcall.loadbalancer;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A servlet request whose body is in memory, from its beginning. */
final class HeldRequest extends HttpServletRequestWrapper {

    private final ServletInputStream body;

    HeldRequest(HttpServletRequest request, byte[] body) {
        super(request);
        this.body = new HeldBody(body);
    }

    /**
     * Reads the body of a request; null if it is longer than the limit, or announces no length and is not empty.
     * @param limit the largest length to hold, in bytes
     */
    static byte @Nullable [] read(HttpServletRequest request, int limit) throws IOException {
        long length = request.getContentLengthLong();
        if (length > limit || (length < 0 && !request.getInputStream().isFinished())) {
            return null;
        }
        return length > 0 ? request.getInputStream().readAllBytes() : new byte[0];
    }

    @Override
    public ServletInputStream getInputStream() {
        return body;
    }

    private static final class HeldBody extends ServletInputStream {

        private final ByteArrayInputStream bytes;

        HeldBody(byte[] bytes) {
            this.bytes = new ByteArrayInputStream(bytes);
        }

        @Override
        public int read() {
            return bytes.read();
        }

        @Override
        public int read(byte[] target, int offset, int length) {
            return bytes.read(target, offset, length);
        }

        @Override
        public boolean isFinished() {
            return bytes.available() == 0;
        }

        @Override
        public boolean isReady() {
            return true;
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new IllegalStateException("The body is in memory and is read without a listener");
        }
    }
}
