package io.rollcall.registry.consul;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Delayed;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The one HTTP client of a registry. It has one thread of ours, however many queries are open, and the JDK's own that waits for the
 * sockets, which ends soon after the client is no longer referred to. Thread-safe.
 */
final class ConsulHttp implements Registry.Client {

    /** Answers longer than this are not read. */
    private static final int MAX_BYTES = 256 * 1024 * 1024;

    private final ConsulSettings settings;

    private final @Nullable SSLContext tls;

    private final Json json;

    private final ScheduledThreadPoolExecutor executor;

    private @Nullable HttpClient client;

    /** Queries whose answers are waited for by nobody's thread. */
    private final Set<CompletableFuture<?>> open = ConcurrentHashMap.newKeySet();

    private volatile boolean closed;

    ConsulHttp(ConsulSettings settings, @Nullable SSLContext tls, Json json) {
        this.settings = settings;
        this.tls = tls;
        this.json = json;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("rollcall-" + settings.name() + "-http-");
        threads.setDaemon(true);
        this.executor = new ScheduledThreadPoolExecutor(1, threads);
        this.executor.setRemoveOnCancelPolicy(true);
    }

    /**
     * One answer.
     *
     * @param status any
     * @param body empty if there is none
     * @param index the {@code X-Consul-Index}, or 0 if there is none
     * @param filtered whether entries were left out for a lack of rights
     */
    record Answer(int status, byte[] body, long index, boolean filtered) {

        boolean isOk() {
            return status >= 200 && status < 300;
        }
    }

    /** Runs what comes later in the queries' thread. */
    ScheduledThreadPoolExecutor executor() {
        return executor;
    }

    /** Sends a GET and waits for the answer, whatever its status. */
    Answer get(String path, Map<String, String> query) throws IOException, InterruptedException {
        return answer(
                client().send(request(path, query, settings.timeout()).GET().build(), BodyHandlers.ofByteArray()));
    }

    /** Sends a PUT and waits for the answer, whatever its status. */
    Answer put(String path, Map<String, String> query, @Nullable String body) throws IOException, InterruptedException {
        HttpRequest.Builder request = request(path, query, settings.timeout());
        request.PUT(body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (body != null) {
            request.header("Content-Type", "application/json");
        }
        return answer(client().send(request.build(), BodyHandlers.ofByteArray()));
    }

    /** Sends a GET whose answer may take that long. Cancelling the future ends the exchange. */
    CompletableFuture<HttpResponse<byte[]>> getLater(String path, Map<String, String> query, Duration patience) {
        HttpRequest request =
                request(path, query, patience.plus(settings.timeout())).GET().build();
        CompletableFuture<HttpResponse<byte[]>> answer = client().sendAsync(request, BodyHandlers.ofByteArray());
        open.add(answer);
        answer.whenComplete((response, failure) -> open.remove(answer));
        if (closed) {
            answer.cancel(true);
        }
        return answer;
    }

    boolean isClosed() {
        return closed;
    }

    static Answer answer(HttpResponse<byte[]> response) {
        return new Answer(
                response.statusCode(),
                response.body(),
                QueryIndex.parse(response.headers().firstValue("X-Consul-Index").orElse("")),
                response.headers()
                        .firstValue("X-Consul-Results-Filtered-By-ACLs")
                        .filter(Boolean::parseBoolean)
                        .isPresent());
    }

    /** The failure that an answer is. Consul answers 403 for tokens without the right, and 401 comes from what is before it. */
    Exception failure(String what, Answer answer) {
        String message = message(what, answer);
        return answer.status() == 401 || answer.status() == 403
                ? new RefusedException(message)
                : new IOException(message);
    }

    String message(String what, Answer answer) {
        String line = firstLine(answer.body());
        return "Consul answers " + answer.status() + " to " + what + (line.isEmpty() ? "" : ": " + line);
    }

    String firstLine(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        String line = text.lines().findFirst().orElse("");
        if (settings.token() != null) {
            line = line.replace(settings.token(), "******");
        }
        return line.length() > 200 ? line.substring(0, 200) + "..." : line;
    }

    List<Object> array(byte[] body) throws IOException {
        try {
            return json.readArray(body, MAX_BYTES);
        } catch (IllegalArgumentException ex) {
            throw new IOException("Consul's answer is not what it should be: " + ex.getMessage(), ex);
        }
    }

    Map<String, Object> object(byte[] body) throws IOException {
        try {
            return json.readObject(body, MAX_BYTES);
        } catch (IllegalArgumentException ex) {
            throw new IOException("Consul's answer is not what it should be: " + ex.getMessage(), ex);
        }
    }

    private HttpRequest.Builder request(String path, Map<String, String> query, Duration timeout) {
        StringBuilder uri = new StringBuilder(settings.base().toString()).append(path);
        String separator = "?";
        for (Map<String, String> parameters : List.of(query, settings.query())) {
            for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                uri.append(separator)
                        .append(parameter.getKey())
                        .append('=')
                        .append(ConsulNames.encode(parameter.getValue()));
                separator = "&";
            }
        }
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(uri.toString())).timeout(timeout);
        if (settings.token() != null) {
            request.header("X-Consul-Token", settings.token());
        }
        return request;
    }

    private synchronized HttpClient client() {
        if (closed) {
            throw new IllegalStateException("The registry is closed");
        }
        if (client == null) {
            HttpClient.Builder builder = HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .connectTimeout(settings.timeout())
                    .executor(this::execute);
            if (tls != null) {
                builder.sslContext(tls);
            }
            client = builder.build();
        }
        return client;
    }

    /** Also at the end: a task that the client can not get rid of keeps it, and its own thread, for ever. */
    private void execute(Runnable task) {
        try {
            executor.execute(task);
        } catch (RejectedExecutionException ex) {
            task.run();
        }
    }

    @Override
    public void close() {
        synchronized (this) {
            closed = true;
            // The JDK ends a client's thread and connections when nothing refers to it any more.
            client = null;
        }
        // A query that waits for a change is not waited for.
        open.forEach(query -> query.cancel(true));
        // What is due is still done, since the client waits for it.
        executor.getQueue().removeIf(task -> task instanceof Delayed delayed && delayed.getDelay(NANOSECONDS) > 0);
        executor.shutdown();
    }
}
