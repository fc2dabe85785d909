package io.rollcall.endtoend;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Asks an application for its health, again and again, and measures how long each answer takes. */
final class HealthProbe implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient client = HttpClient.newHttpClient();

    private final HttpRequest request;

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    private final Queue<Duration> took = new ConcurrentLinkedQueue<>();

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    HealthProbe(int port) {
        request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/health"))
                .timeout(PATIENCE)
                .build();
        clock.scheduleWithFixedDelay(this::probe, 0, 50, TimeUnit.MILLISECONDS);
    }

    private void probe() {
        long begin = System.nanoTime();
        try {
            int status = client.send(request, BodyHandlers.ofString()).statusCode();
            took.add(Duration.ofNanos(System.nanoTime() - begin));
            if (status != 200) {
                failures.add("status " + status);
            }
        } catch (IOException ex) {
            failures.add(ex.toString());
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    /** What was not answered by {@code UP}. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    int count() {
        return took.size();
    }

    /** How long the slowest of that share of the answers took. */
    Duration percentile(double share) {
        List<Duration> sorted = took.stream().sorted().toList();
        return sorted.get(Math.min(sorted.size() - 1, (int) (sorted.size() * share)));
    }

    /** How long answers took so far, in words; begins anew. */
    String summary() {
        String summary = count() + " answers, median "
                + percentile(0.5).toMillis() + " ms, p99 "
                + percentile(0.99).toMillis() + " ms, slowest "
                + percentile(1).toMillis() + " ms";
        took.clear();
        return summary;
    }

    @Override
    public void close() {
        clock.shutdownNow();
    }
}
