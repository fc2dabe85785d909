package io.rollcall.concurrency;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.util.Map;
import java.util.TreeMap;

/** One HTTP/1.1 connection on which a test has every byte, and a rude end, in its hand. */
final class RawHttp implements AutoCloseable {

    record Response(int status, Map<String, String> headers, String body) {
        String header(String name) {
            return headers.get(name);
        }
    }

    private final Socket socket;
    private final InputStream in;

    RawHttp(int port) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        in = new BufferedInputStream(socket.getInputStream());
    }

    RawHttp send(String requestLine, String... headers) throws IOException {
        StringBuilder text = new StringBuilder(requestLine).append(" HTTP/1.1\r\nHost: localhost\r\n");
        for (String header : headers) {
            text.append(header).append("\r\n");
        }
        return write(text.append("\r\n").toString());
    }

    RawHttp write(String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
        return this;
    }

    Response exchange(String requestLine, String... headers) throws IOException {
        send(requestLine, headers);
        return read(requestLine.startsWith("HEAD"));
    }

    Response read(boolean head) throws IOException {
        String[] status = line().split(" ", 3);
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String line = line(); !line.isEmpty(); line = line()) {
            int colon = line.indexOf(':');
            headers.put(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        int code = Integer.parseInt(status[1]);
        if (code == 100) {
            return read(head);
        }
        return new Response(code, headers, head || code == 101 ? "" : body(headers));
    }

    /** Reads only the head, for responses that do not end. */
    int readStatus() throws IOException {
        int status = Integer.parseInt(line().split(" ", 3)[1]);
        while (!line().isEmpty()) {
            continue;
        }
        return status;
    }

    int readByte() throws IOException {
        return in.read();
    }

    /** Ends the connection with a reset. */
    void abort() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }

    private String body(Map<String, String> headers) throws IOException {
        if ("chunked".equalsIgnoreCase(headers.get("Transfer-Encoding"))) {
            StringBuilder body = new StringBuilder();
            for (int size = Integer.parseInt(line(), 16); size > 0; size = Integer.parseInt(line(), 16)) {
                body.append(text(size));
                line();
            }
            line();
            return body.toString();
        }
        return text(Integer.parseInt(headers.getOrDefault("Content-Length", "0")));
    }

    private String text(int length) throws IOException {
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException();
        }
        return new String(bytes, ISO_8859_1);
    }

    private String line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException();
            }
            if (c != '\r') {
                line.write(c);
            }
        }
        return line.toString(ISO_8859_1);
    }
}
