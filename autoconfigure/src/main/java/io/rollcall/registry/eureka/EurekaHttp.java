package io.rollcall.registry.eureka;

import io.rollcall.registry.RefusedException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLSocketFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/**
 * Calls the servers in turn until one of them answers, beginning with the one that did last. Each gets its share of the time, so that
 * one that hangs leaves some to the next. Thread-safe.
 */
final class EurekaHttp {

    static final int OK = 200;

    static final int NO_CONTENT = 204;

    static final int NOT_FOUND = 404;

    static final int FORBIDDEN = 403;

    private static final int UNAUTHORIZED = 401;

    private static final int FIRST_SERVER_ERROR = 500;

    /** An answer that is longer is not read: some 50,000 instances. */
    private static final int MAX_BYTES = 64 * 1024 * 1024;

    private final List<String> servers;

    private final RestClient client;

    private final RestClient briefClient;

    private final Duration timeout;

    private volatile int current;

    /** An answer that was received whole. */
    record Answer(int status, byte[] body) {}

    /** @param timeout of one call with all servers */
    EurekaHttp(EurekaSettings settings, @Nullable SSLSocketFactory sockets, Duration timeout) {
        this.servers = settings.servers();
        this.timeout = timeout;
        Duration share = timeout.dividedBy(servers.size());
        String authorization = settings.authorization();
        this.client = client(share, sockets, authorization);
        this.briefClient = client(share.dividedBy(3), sockets, authorization);
    }

    private static RestClient client(
            Duration timeout, @Nullable SSLSocketFactory sockets, @Nullable String authorization) {
        RestClient.Builder builder = RestClient.builder()
                .requestFactory(new OneShotRequests(timeout.plusMillis(1), sockets))
                .defaultHeader(HttpHeaders.ACCEPT, MediaType.APPLICATION_JSON_VALUE);
        if (authorization != null) {
            builder.defaultHeader(HttpHeaders.AUTHORIZATION, authorization);
        }
        return builder.build();
    }

    /**
     * Makes a call.
     *
     * @param path below the base URL, encoded, with a leading slash
     * @param body JSON, or null
     * @return the first answer that is not a server's failure
     * @throws RefusedException if the server does not let us
     * @throws IOException if no server answered
     */
    Answer call(HttpMethod method, String path, byte @Nullable [] body) throws IOException, RefusedException {
        return call(client, method, path, body);
    }

    /** Reads something of which it is better not to know it than to wait long. */
    Answer glance(String path) throws IOException, RefusedException {
        return call(briefClient, HttpMethod.GET, path, null);
    }

    private Answer call(RestClient by, HttpMethod method, String path, byte @Nullable [] body)
            throws IOException, RefusedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        IOException failure = null;
        int first = current;
        for (int i = 0; i < servers.size() && (i == 0 || System.nanoTime() - deadline < 0); i++) {
            int server = (first + i) % servers.size();
            try {
                Answer answer = call(by, servers.get(server), method, path, body, deadline);
                current = server;
                if (answer.status() == UNAUTHORIZED) {
                    throw new RefusedException("Eureka refuses: it knows no such user and password (HTTP status 401)");
                }
                return answer;
            } catch (IOException ex) {
                if (failure != null) {
                    ex.addSuppressed(failure);
                }
                failure = ex;
            }
        }
        throw failure != null ? failure : new IOException("no server");
    }

    private static Answer call(
            RestClient by, String server, HttpMethod method, String path, byte @Nullable [] body, long deadline)
            throws IOException {
        RestClient.RequestBodySpec request = by.method(method).uri(URI.create(server + path));
        if (body != null) {
            request.contentType(MediaType.APPLICATION_JSON).body(body);
        }
        try {
            Answer answer = request.exchangeForRequiredValue(
                    (sent, received) -> new Answer(received.getStatusCode().value(), read(received, deadline)));
            if (answer.status() >= FIRST_SERVER_ERROR) {
                throw new IOException(server + " answered with HTTP status " + answer.status());
            }
            return answer;
        } catch (ResourceAccessException ex) {
            throw new IOException(server + " did not answer: " + ex.getMostSpecificCause(), ex);
        }
    }

    private static byte[] read(ClientHttpResponse response, long deadline) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[16 * 1024];
        InputStream from = response.getBody();
        for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
            bytes.write(buffer, 0, length);
            if (System.nanoTime() - deadline > 0) {
                throw new IOException("the answer was not complete in time");
            }
            if (bytes.size() > MAX_BYTES) {
                throw new IOException("the answer is longer than " + MAX_BYTES + " bytes");
            }
        }
        return bytes.toByteArray();
    }
}
