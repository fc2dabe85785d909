package io.rollcall.concurrency;

import static org.awaitility.Awaitility.await;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Requests to one address until it is stopped, and what became of each. */
final class Load {

    /**
     * What became of a request.
     *
     * @param status 0 if there was no answer
     * @param marker the header of a refusal, or why there was no answer; empty for other answers
     * @param nanos  from the request to the end of the answer
     */
    record Answer(int status, String marker, long nanos) {

        boolean served() {
            return status == 200 && marker.isEmpty();
        }

        boolean refused() {
            return status == 503 && marker.equals(Refusal.MARKER);
        }

        static long medianNanos(List<Answer> answers) {
            return answers.stream()
                    .mapToLong(Answer::nanos)
                    .sorted()
                    .skip(answers.size() / 2)
                    .findFirst()
                    .orElseThrow();
        }
    }

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final HttpRequest request;
    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final AtomicInteger outstanding = new AtomicInteger();
    private volatile boolean stopped;

    private Load(URI uri) {
        request = HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(30)).build();
    }

    /** So many callers, each of which waits for its answer before it asks again. */
    static Load callers(URI uri, int number) {
        Load load = new Load(uri);
        for (int i = 0; i < number; i++) {
            load.callAgain();
        }
        return load;
    }

    /** Requests that come by chance and at that rate, whatever becomes of the earlier ones. */
    static Load openLoop(URI uri, int perSecond) {
        Load load = new Load(uri);
        Thread thread = new Thread(() -> load.callAtRate(perSecond), "open-loop");
        thread.setDaemon(true);
        load.outstanding.incrementAndGet();
        thread.start();
        return load;
    }

    private void callAgain() {
        if (!stopped) {
            call(this::callAgain);
        }
    }

    private void callAtRate(int perSecond) {
        Random random = new Random(1);
        long due = System.nanoTime();
        while (!stopped) {
            due += (long) (-Math.log(1 - random.nextDouble()) * TimeUnit.SECONDS.toNanos(1) / perSecond);
            for (long rest = due - System.nanoTime(); rest > 0; rest = due - System.nanoTime()) {
                LockSupport.parkNanos(rest);
            }
            call(() -> {});
        }
        outstanding.decrementAndGet();
    }

    private void call(Runnable next) {
        outstanding.incrementAndGet();
        long start = System.nanoTime();
        client.sendAsync(request, HttpResponse.BodyHandlers.discarding()).whenComplete((response, failure) -> {
            answers.add(answer(response, failure, System.nanoTime() - start));
            next.run();
            outstanding.decrementAndGet();
        });
    }

    private static Answer answer(HttpResponse<?> response, Throwable failure, long nanos) {
        return failure != null
                ? new Answer(0, failure.toString(), nanos)
                : new Answer(
                        response.statusCode(),
                        response.headers().firstValue(Refusal.MARKER_HEADER).orElse(""),
                        nanos);
    }

    /** Whether that many answers have come. */
    boolean has(int count) {
        return answers.size() >= count;
    }

    /** Sends nothing more, and returns what became of all requests. */
    List<Answer> stop() {
        stopped = true;
        await().atMost(Duration.ofMinutes(1)).until(() -> outstanding.get() == 0);
        return new ArrayList<>(answers);
    }
}
