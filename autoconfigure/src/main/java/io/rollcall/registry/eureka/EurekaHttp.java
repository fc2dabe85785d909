package io.rollcall.registry.eureka;

import io.rollcall.registry.RefusedException;
import io.rollcall.registry.RegistryHttp;
import io.rollcall.registry.RegistryHttp.Answer;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

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

    private final List<String> servers;

    private final RegistryHttp client;

    private final Duration timeout;

    private volatile int current;

    /** @param timeout of one call with all servers */
    EurekaHttp(EurekaSettings settings, RegistryHttp client, Duration timeout) {
        this.servers = settings.servers();
        this.client = client;
        this.timeout = timeout;
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
    Answer call(String method, String path, byte @Nullable [] body) throws IOException, RefusedException {
        return call(method, path, body, timeout.dividedBy(servers.size()));
    }

    /** Reads something of which it is better not to know it than to wait long. */
    Answer glance(String path) throws IOException, RefusedException {
        return call("GET", path, null, timeout.dividedBy(servers.size() * 3L));
    }

    private Answer call(String method, String path, byte @Nullable [] body, Duration share)
            throws IOException, RefusedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        IOException failure = null;
        int first = current;
        for (int i = 0; i < servers.size() && (i == 0 || System.nanoTime() - deadline < 0); i++) {
            int server = (first + i) % servers.size();
            try {
                Answer answer = call(servers.get(server), method, path, body, share);
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

    /** To its end, whatever interrupts: what has been answered has been done. */
    private Answer call(String server, String method, String path, byte @Nullable [] body, Duration patience)
            throws IOException {
        Answer answer;
        try {
            answer = RegistryHttp.join(client.send(method, URI.create(server + path), body, patience));
        } catch (IOException ex) {
            throw new IOException(server + " did not answer: " + ex, ex);
        }
        if (answer.status() >= FIRST_SERVER_ERROR) {
            throw new IOException(server + " answered with HTTP status " + answer.status());
        }
        return answer;
    }
}
