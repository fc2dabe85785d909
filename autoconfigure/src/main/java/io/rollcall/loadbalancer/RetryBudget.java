package io.rollcall.loadbalancer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps retries from multiplying the load on a service that is overloaded as a whole. Over the last ten seconds:
 *
 * <pre>    retry allowed  :=  retries in vain  &lt;  floor + ratio * calls</pre>
 *
 * A retry is in vain if its call ends refused all the same. Retries that help cost nothing: they take a call to where there is
 * room, and the instance that refused it did no work for it. So one full instance among idle ones never exhausts the budget,
 * and a service that is full everywhere gets at most {@code 1 + ratio} times the calls, plus the floor.
 *
 * <p>Lock-free: a ring of counters per second. Calls that fail at the same moment may exceed the budget by their number.
 */
final class RetryBudget {

    private static final int SECONDS = 10;

    private final double ratio;

    private final int floor;

    private final LongSupplier nanoClock;

    private final long start;

    private final AtomicReferenceArray<@Nullable Second> seconds = new AtomicReferenceArray<>(SECONDS);

    /**
     * Makes a budget that is full.
     * @param ratio retries in vain per call
     * @param floor retries in vain in ten seconds, whatever the number of calls
     * @param nanoClock time in nanoseconds, such as {@link System#nanoTime()}
     */
    RetryBudget(double ratio, int floor, LongSupplier nanoClock) {
        this.ratio = ratio;
        this.floor = floor;
        this.nanoClock = nanoClock;
        start = nanoClock.getAsLong();
    }

    void called() {
        current().calls.increment();
    }

    boolean allowsRetry() {
        long now = now();
        long calls = 0;
        long spent = 0;
        for (int i = 0; i < SECONDS; i++) {
            Second second = seconds.get(i);
            if (second != null && second.number > now - SECONDS) {
                calls += second.calls.sum();
                spent += second.spent.sum();
            }
        }
        return spent < floor + ratio * calls;
    }

    void spend(int retries) {
        if (retries > 0) {
            current().spent.add(retries);
        }
    }

    private Second current() {
        long now = now();
        int index = (int) (now % SECONDS);
        Second second = seconds.get(index);
        while (second == null || second.number < now) {
            seconds.compareAndSet(index, second, new Second(now));
            second = seconds.get(index);
        }
        return second;
    }

    private long now() {
        return TimeUnit.NANOSECONDS.toSeconds(nanoClock.getAsLong() - start);
    }

    private static final class Second {

        final long number;

        final LongAdder calls = new LongAdder();

        final LongAdder spent = new LongAdder();

        Second(long number) {
            this.number = number;
        }
    }
}
