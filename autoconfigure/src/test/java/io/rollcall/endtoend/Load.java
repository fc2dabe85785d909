package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.LocalTime;
import java.util.List;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Two hundred calls a second of a consumer, reads and writes, blocking and reactive, and now and then one that takes 3 s. */
final class Load implements AutoCloseable {

    private static final int PERIOD_MILLIS = 5;

    /** One call in so many is a slow one, so that some are in flight at any time. */
    private static final int SLOW = 100;

    private final Consumer consumer;

    private final ExecutorService callers = Executors.newCachedThreadPool();

    private final ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();

    /** On a machine that does not keep up, calls are left out rather than piled up until they take longer than a provider drains. */
    private final Semaphore free = new Semaphore(30);

    private final AtomicLong started = new AtomicLong();

    private final ConcurrentMap<Integer, AtomicInteger> answers = new ConcurrentHashMap<>();

    private final Queue<String> failures = new ConcurrentLinkedQueue<>();

    Load(Consumer consumer) {
        this.consumer = consumer;
        clock.scheduleAtFixedRate(this::next, 0, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void next() {
        if (free.tryAcquire()) {
            long number = started.incrementAndGet();
            callers.execute(() -> {
                try {
                    call(number);
                } finally {
                    free.release();
                }
            });
        }
    }

    private void call(long number) {
        if (number % SLOW == 0) {
            answered("slow GET", () -> consumer.get(3000));
        } else if (number % 3 == 0) {
            answered("GET", () -> consumer.get(0));
        } else if (number % 3 == 1) {
            answered("reactive GET", consumer::getReactively);
        } else {
            post();
        }
    }

    private void answered(String kind, Callable<Integer> call) {
        try {
            answers.computeIfAbsent(call.call(), port -> new AtomicInteger()).incrementAndGet();
        } catch (Exception ex) {
            failed(kind, ex);
        }
    }

    private void post() {
        try {
            int times = consumer.post(UUID.randomUUID().toString());
            if (times != 1) {
                failures.add("POST was processed " + times + " times");
            }
        } catch (RuntimeException ex) {
            failed("POST", ex);
        }
    }

    private void failed(String kind, Exception failure) {
        failures.add(kind + " at " + LocalTime.now() + ": " + failure);
    }

    /** How many calls have been made. */
    long calls() {
        return started.get();
    }

    /** How many plain GETs the provider at that port has answered. */
    int answersOf(int port) {
        AtomicInteger count = answers.get(port);
        return count == null ? 0 : count.get();
    }

    /** The calls that failed, so far. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    /** Ends the calls, those in flight included, and returns what failed. */
    List<String> stop() throws InterruptedException {
        clock.shutdownNow();
        assertThat(clock.awaitTermination(3, TimeUnit.MINUTES)).isTrue();
        callers.shutdown();
        assertThat(callers.awaitTermination(3, TimeUnit.MINUTES))
                .as("all calls have ended")
                .isTrue();
        assertThat(calls()).isPositive();
        return failures();
    }

    @Override
    public void close() {
        clock.shutdownNow();
        callers.shutdownNow();
    }
}
