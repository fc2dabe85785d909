package io.rollcall.registry;

import java.io.IOException;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.apache.hc.core5.http.HeaderElements;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.message.BasicHttpRequest;
import org.apache.hc.core5.net.URIAuthority;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The HTTP client of one registry, on Apache HttpCore: it logs nothing, follows nobody elsewhere, uses no proxy and repeats nothing.
 * Each call has a connection of its own: there are few, a call that is given up is a connection that is closed, and none fails because
 * a server closes at this very moment what has been idle. However many calls are open, there are two threads, which begin with the
 * first call and have ended when {@link #close} returns. Thread-safe.
 */
public final class RegistryHttp implements Registry.Client {

    /** Is there where Apache HttpCore is. As all that is constant, to be read without it. */
    public static final String REQUIRED_CLASS = "org.apache.hc.core5.reactor.DefaultConnectingIOReactor";

    /** Brings it. */
    public static final String COORDINATES = "org.apache.httpcomponents.core5:httpcore5";

    /** Answers longer than this are not read. */
    public static final int MAX_BYTES = 64 * 1024 * 1024;

    private static final Log logger = LogFactory.getLog(RegistryHttp.class);

    private static final long END_MILLIS = 1000;

    private final Map<String, String> headers;

    private final ScheduledThreadPoolExecutor executor;

    private final HttpReactor reactor;

    private final Set<CompletableFuture<Answer>> open = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    /**
     * Does not connect, and starts no thread.
     *
     * @param registry the registry's name
     * @param bundle the certificates for {@code https}, or null for the JVM's own trust
     * @param connectTimeout of connections, with the handshake of TLS
     * @param headers sent with every call; the values may be secret
     */
    public RegistryHttp(
            String registry, @Nullable SslBundle bundle, Duration connectTimeout, Map<String, String> headers) {
        this.headers = Map.copyOf(headers);
        CustomizableThreadFactory threads = new CustomizableThreadFactory("rollcall-" + registry + "-http-");
        threads.setDaemon(true);
        this.executor = new ScheduledThreadPoolExecutor(1, threads);
        this.executor.setRemoveOnCancelPolicy(true);
        this.reactor = new HttpReactor(threads, bundle, connectTimeout);
    }

    /**
     * One answer, received whole.
     *
     * @param status any
     * @param headers by name in lower case; of several with one name the last
     * @param body empty if there is none
     */
    public record Answer(int status, Map<String, String> headers, byte[] body) {}

    /** Runs what is to be done between calls, in one thread, which must not wait. */
    public ScheduledExecutorService executor() {
        return executor;
    }

    /** Whether it was closed. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Makes a call. Completed from a thread of this client's, which must not wait; cancelling ends the call.
     *
     * @param method such as {@code GET}
     * @param uri absolute, with scheme, host and port
     * @param body JSON, or null for none
     * @param patience how long the whole call may take
     * @return the answer, whatever its status; or an {@link IOException}
     * @throws IllegalStateException if the client is closed
     */
    public CompletableFuture<Answer> send(String method, URI uri, byte @Nullable [] body, Duration patience) {
        CompletableFuture<Answer> answer = new CompletableFuture<>();
        open.add(answer);
        answer.whenComplete((received, failure) -> open.remove(answer));
        try {
            Future<?> alarm =
                    executor.schedule(() -> expire(answer, patience), patience.toNanos(), TimeUnit.NANOSECONDS);
            answer.whenComplete((received, failure) -> alarm.cancel(false));
            reactor.exchange(request(method, uri), body, answer);
        } catch (RejectedExecutionException | IllegalStateException ex) {
            answer.cancel(false);
            throw new IllegalStateException("The registry is closed", ex);
        }
        return answer;
    }

    /**
     * Makes a call and waits for the answer, whatever its status. An interrupt ends the call.
     *
     * @throws IOException if there is no answer in time
     * @throws IllegalStateException if the client is closed
     * @see #send
     */
    public Answer call(String method, URI uri, byte @Nullable [] body, Duration patience)
            throws IOException, InterruptedException {
        CompletableFuture<Answer> answer = send(method, uri, body, patience);
        try {
            return answer.get();
        } catch (InterruptedException ex) {
            answer.cancel(false);
            throw ex;
        } catch (ExecutionException | CancellationException ex) {
            return join(answer);
        }
    }

    /**
     * Waits for an answer to its end, which the call's patience is; an interrupt counts only afterwards.
     *
     * @throws IOException if there is no answer
     */
    public static Answer join(CompletableFuture<Answer> answer) throws IOException {
        try {
            return answer.join();
        } catch (CancellationException ex) {
            throw new IOException("closed meanwhile", ex);
        } catch (CompletionException ex) {
            throw ex.getCause() instanceof IOException failure ? failure : new IOException(ex.getCause());
        }
    }

    private static void expire(CompletableFuture<Answer> answer, Duration patience) {
        answer.completeExceptionally(new SocketTimeoutException("no answer within " + patience.toMillis() + " ms"));
    }

    private BasicHttpRequest request(String method, URI uri) {
        BasicHttpRequest request = new BasicHttpRequest(method, uri);
        // Java's URIs know no host with an underscore, as containers have them: then the request has read the authority
        // itself.
        if (uri.getHost() != null) {
            // The URI has brackets around an IPv6 address, which are no part of it.
            request.setAuthority(new URIAuthority(uri.getHost().replaceAll("[\\[\\]]", ""), uri.getPort()));
        }
        request.setHeader(HttpHeaders.CONNECTION, HeaderElements.CLOSE);
        headers.forEach(request::setHeader);
        return request;
    }

    @Override
    public void close() {
        closed = true;
        executor.shutdownNow();
        reactor.close();
        open.forEach(answer -> answer.cancel(false));
        try {
            if (!executor.awaitTermination(END_MILLIS, TimeUnit.MILLISECONDS)) {
                logger.debug("What is done between calls takes long to end");
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }
}
