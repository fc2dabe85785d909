package io.rollcall.concurrency.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.micrometer.tagged.TaggedBulkheadMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class AdaptiveBulkheadTests {

    private static final long MS = 1_000_000;

    private final AtomicLong clock = new AtomicLong(-5);

    private AdaptiveBulkhead bulkhead(int initial, int floor, int ceiling) {
        return new AdaptiveBulkhead(
                "b", new AdaptiveLimitConfig(initial, floor, ceiling), Map.of("k", "v"), clock::get, 1);
    }

    @Test
    void aThousandAtOnceNeverExceedAHundred() throws Exception {
        AdaptiveBulkhead bulkhead = bulkhead(100, 100, 100);
        AtomicInteger admitted = new AtomicInteger();
        inParallel(1000, () -> {
            if (bulkhead.tryAcquire() != AdaptiveBulkhead.REFUSED) {
                admitted.incrementAndGet();
            }
        });
        assertThat(admitted).hasValue(100);
        assertThat(bulkhead.inFlight()).isEqualTo(100);
    }

    @Test
    void aListenerThatThrowsTakesNoPermit() {
        AdaptiveBulkhead bulkhead = bulkhead(1, 1, 1);
        bulkhead.getEventPublisher().onEvent(event -> {
            throw new IllegalStateException("the listener's");
        });
        for (int i = 0; i < 3; i++) {
            long permit = bulkhead.tryAcquire();
            assertThat(permit).isNotEqualTo(AdaptiveBulkhead.REFUSED);
            assertThat(bulkhead.tryAcquire()).isEqualTo(AdaptiveBulkhead.REFUSED);
            bulkhead.release(permit, Completion.SUCCESS);
            assertThat(bulkhead.inFlight()).isZero();
        }
    }

    @Test
    void oneIsOneUnderContention() throws Exception {
        AdaptiveBulkhead bulkhead = bulkhead(1, 1, 1);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        inParallel(64, () -> {
            for (int i = 0; i < 500; i++) {
                long permit = bulkhead.tryAcquire();
                if (permit != AdaptiveBulkhead.REFUSED) {
                    most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                    inside.decrementAndGet();
                    bulkhead.release(permit, Completion.SUCCESS);
                }
            }
        });
        assertThat(most).hasValue(1);
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    void countsStayRightWhileWindowsEndUnderContention() throws Exception {
        AdaptiveBulkhead bulkhead = new AdaptiveBulkhead(
                "b", new AdaptiveLimitConfig(8, 4, 16), Map.of(), () -> clock.addAndGet(MS / 10), 1);
        inParallel(16, () -> {
            for (int i = 0; i < 2000; i++) {
                long permit = bulkhead.tryAcquire();
                assertThat(bulkhead.limit()).isBetween(4, 16);
                if (permit != AdaptiveBulkhead.REFUSED) {
                    bulkhead.release(permit, Completion.values()[i % 3]);
                }
            }
        });
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    void loweringTheLimitNeitherBlocksNorAdmits() {
        AdaptiveBulkhead bulkhead = bulkhead(10, 1, 10);
        List<Long> permits = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            permits.add(bulkhead.tryAcquire());
        }
        bulkhead.changeConfig(BulkheadConfig.custom().maxConcurrentCalls(4).build());
        assertThat(bulkhead.limit()).isEqualTo(4);
        for (int i = 0; i < 6; i++) {
            assertThat(bulkhead.tryAcquire()).isEqualTo(AdaptiveBulkhead.REFUSED);
            bulkhead.release(permits.get(i), Completion.SUCCESS);
        }
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isZero();
        bulkhead.release(permits.get(6), Completion.SUCCESS);
        assertThat(bulkhead.tryAcquire()).isNotEqualTo(AdaptiveBulkhead.REFUSED);
        assertThat(bulkhead.tryAcquire()).isEqualTo(AdaptiveBulkhead.REFUSED);
    }

    @Test
    void releasingTwiceDoesNotRaiseTheCapacity() {
        AdaptiveBulkhead bulkhead = bulkhead(4, 4, 4);
        long permit = bulkhead.tryAcquire();
        bulkhead.release(permit, Completion.SUCCESS);
        bulkhead.release(permit, Completion.SUCCESS);
        bulkhead.onComplete();
        assertThat(bulkhead.inFlight()).isZero();
        for (int i = 0; i < 4; i++) {
            assertThat(bulkhead.tryAcquirePermission()).isTrue();
        }
        assertThat(bulkhead.tryAcquirePermission()).isFalse();
    }

    @Test
    void requestsThatTakeNoTimeAreFine() {
        AdaptiveBulkhead bulkhead = bulkhead(20, 4, 100);
        for (int i = 0; i < 10_000; i++) {
            bulkhead.release(bulkhead.tryAcquire(), Completion.SUCCESS);
            if (i % 100 == 0) {
                clock.addAndGet(MS);
            }
        }
        assertThat(bulkhead.limit()).isBetween(4, 100);
        assertThat(bulkhead.inFlight()).isZero();
    }

    @Test
    void requestsThatAreStuckDoNotKeepTheLimitFromMoving() {
        AdaptiveBulkhead bulkhead = bulkhead(20, 4, 100);
        for (int i = 0; i < 20; i++) {
            bulkhead.tryAcquire();
        }
        for (int i = 0; i < 600; i++) {
            clock.addAndGet(100 * MS);
            assertThat(bulkhead.tryAcquire()).isEqualTo(AdaptiveBulkhead.REFUSED);
        }
        assertThat(bulkhead.limit()).isEqualTo(4);
    }

    @Test
    void eventsAndMetricsAreThoseOfAnyBulkhead() {
        AdaptiveBulkhead bulkhead = bulkhead(4, 4, 8);
        List<String> events = new ArrayList<>();
        bulkhead.getEventPublisher()
                .onCallPermitted(event -> events.add("permitted"))
                .onCallRejected(event -> events.add("rejected"))
                .onCallFinished(event -> events.add("finished"));
        for (int i = 0; i < 5; i++) {
            bulkhead.tryAcquirePermission();
        }
        bulkhead.onComplete();
        bulkhead.releasePermission();
        assertThat(events)
                .containsExactly(
                        "permitted", "permitted", "permitted", "permitted", "rejected", "finished", "finished");
        assertThat(bulkhead.getMetrics().getAvailableConcurrentCalls()).isEqualTo(2);
        assertThat(bulkhead.getBulkheadConfig().getMaxConcurrentCalls()).isEqualTo(8);
        assertThat(bulkhead.getBulkheadConfig().getMaxWaitDuration()).isZero();
        assertThat(bulkhead.getTags()).containsEntry("k", "v");
        assertThat(bulkhead.executeSupplier(() -> "done")).isEqualTo("done");
        assertThat(bulkhead).hasToString(bulkhead.toString()).asString().contains("b 2/4", "keeping up");
    }

    @Test
    void fullMeansAnExceptionWithoutAStackTrace() {
        AdaptiveBulkhead bulkhead = bulkhead(1, 1, 1);
        bulkhead.acquirePermission();
        assertThatExceptionOfType(BulkheadFullException.class)
                .isThrownBy(bulkhead::acquirePermission)
                .satisfies(ex -> assertThat(ex.getStackTrace()).isEmpty());
    }

    @Test
    void theRegistryAndItsMetricsSeeIt() {
        BulkheadRegistry registry = BulkheadRegistry.ofDefaults();
        registry.bulkhead("b");
        AdaptiveBulkhead bulkhead = bulkhead(4, 4, 4);
        registry.replace("b", bulkhead);
        assertThat(registry.find("b")).containsSame(bulkhead);
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        TaggedBulkheadMetrics.ofBulkheadRegistry(registry).bindTo(meters);
        bulkhead.tryAcquire();
        assertThat(meters.get("resilience4j.bulkhead.available.concurrent.calls")
                        .gauge()
                        .value())
                .isEqualTo(3);
        assertThat(meters.get("resilience4j.bulkhead.max.allowed.concurrent.calls")
                        .gauge()
                        .value())
                .isEqualTo(4);
    }

    @Test
    void changesOfTheLimitAreEvents() {
        AdaptiveBulkhead bulkhead = bulkhead(4, 4, 100);
        List<LimitChange> changes = new ArrayList<>();
        bulkhead.onLimitChange(changes::add);
        for (int i = 0; i < 200; i++) {
            long[] permits = {bulkhead.tryAcquire(), bulkhead.tryAcquire(), bulkhead.tryAcquire()};
            clock.addAndGet(10 * MS);
            for (long permit : permits) {
                bulkhead.release(permit, Completion.SUCCESS);
            }
        }
        assertThat(changes)
                .isNotEmpty()
                .allSatisfy(change -> assertThat(change.from()).isNotEqualTo(change.to()));
        assertThat(changes.get(changes.size() - 1).to()).isEqualTo(bulkhead.limit());
    }

    private static void inParallel(int threads, Runnable task) throws Exception {
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            CountDownLatch start = new CountDownLatch(1);
            List<Future<?>> futures = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                futures.add(executor.submit(() -> {
                    start.await();
                    task.run();
                    return null;
                }));
            }
            start.countDown();
            for (Future<?> future : futures) {
                future.get(60, TimeUnit.SECONDS);
            }
        } finally {
            executor.shutdownNow();
        }
    }
}
