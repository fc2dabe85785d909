package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.BulkheadRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PermitTests {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 10);

    @Test
    void isGivenBackOnlyOnce() {
        Gate gate = gate(2);
        Permit first = gate.tryEnter();
        Permit second = gate.tryEnter();
        first.release();
        first.release();
        first.release();
        assertThat(gate.limiter().inFlight()).isEqualTo(1);
        assertThat(gate.tryEnter()).isNotNull();
        assertThat(gate.tryEnter()).isNull();
        second.release();
        assertThat(gate.limiter().inFlight()).isEqualTo(1);
        assertThat(gate.rejected()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"1,64,500", "100,1000,5"})
    void neverLetsMoreInThanTheLimit(int limit, int threads, int rounds) throws Exception {
        Gate gate = gate(limit);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier start = new CyclicBarrier(threads);
        ExecutorService executor = Executors.newFixedThreadPool(threads);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < threads; i++) {
                all.add(executor.submit(() -> {
                    start.await();
                    for (int round = 0; round < rounds; round++) {
                        Permit permit = gate.tryEnter();
                        if (permit != null) {
                            most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                            Thread.yield();
                            inside.decrementAndGet();
                            permit.release();
                            permit.release();
                        }
                    }
                    return null;
                }));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            executor.shutdown();
        }
        assertThat(most.get()).isBetween(1, limit);
        assertThat(gate.limiter().inFlight()).isZero();
    }

    @Test
    void isGivenBackOnceByManyThreadsWhileItMoves() throws Exception {
        Gate from = gate(1);
        Gate to = gate(1);
        ExecutorService executor = Executors.newFixedThreadPool(3);
        try {
            for (int i = 0; i < 2_000; i++) {
                Permit permit = from.tryEnter();
                assertThat(permit).isNotNull();
                CyclicBarrier start = new CyclicBarrier(3);
                List<Future<?>> all = new ArrayList<>();
                for (Runnable action : List.<Runnable>of(permit::release, permit::release, () -> permit.moveTo(to))) {
                    all.add(executor.submit(() -> {
                        start.await();
                        action.run();
                        return null;
                    }));
                }
                for (Future<?> one : all) {
                    one.get();
                }
                permit.release();
                assertThat(from.limiter().inFlight()).isZero();
                assertThat(to.limiter().inFlight()).isZero();
            }
        } finally {
            executor.shutdown();
        }
    }

    @Test
    void staysWhereItIsIfTheOtherGateIsFull() {
        Gate from = gate(1);
        Gate to = gate(1);
        Permit other = to.tryEnter();
        Permit permit = from.tryEnter();
        permit.moveTo(to);
        assertThat(from.limiter().inFlight()).isEqualTo(1);
        permit.release();
        assertThat(from.limiter().inFlight()).isZero();
        assertThat(to.limiter().inFlight()).isEqualTo(1);
        other.release();
    }

    @Test
    void measuresTheWorkWithoutTheClientsPart() {
        Recorder recorder = new Recorder();
        Permit permit = new Gate("test", recorder, clock::get).tryEnter();
        pass(100);
        permit.clientWaited();
        permit.clientWaited();
        pass(1_000);
        permit.clientReady();
        permit.clientReady();
        pass(10);
        permit.clientWaited();
        pass(5_000);
        permit.release();
        permit.release();
        assertThat(recorder.samples).containsExactly("110 ANSWERED");
    }

    @Test
    void neverMeasuresLessThanANanosecond() {
        Recorder recorder = new Recorder();
        new Gate("test", recorder, clock::get).tryEnter().release();
        assertThat(recorder.samples).containsExactly("1 ANSWERED");
    }

    @Test
    void keepsTheFirstCause() {
        Recorder recorder = new Recorder();
        Permit permit = new Gate("test", recorder, clock::get).tryEnter();
        permit.end(Outcome.TIMED_OUT);
        permit.end(Outcome.FAILED);
        permit.release();
        assertThat(recorder.samples).containsExactly("1 TIMED_OUT");
    }

    @Test
    void isNoSampleOnceItMovedOrWantedTo() {
        Recorder recorder = new Recorder();
        Gate full = gate(1);
        full.tryEnter();
        Permit moved = new Gate("test", recorder, clock::get).tryEnter();
        moved.moveTo(gate(1));
        moved.release();
        Permit stayed = new Gate("test", recorder, clock::get).tryEnter();
        stayed.moveTo(full);
        stayed.release();
        assertThat(recorder.samples).containsExactly("none", "none");
    }

    private void pass(long nanos) {
        clock.addAndGet(nanos);
    }

    private Gate gate(int limit) {
        LimiterFactory limiters =
                new LimiterFactory(BulkheadRegistry.ofDefaults(), LimitBounds.of(null, null, OptionalInt.empty()));
        return new Gate("test", limiters.fixed("test", limit), clock::get);
    }
}
