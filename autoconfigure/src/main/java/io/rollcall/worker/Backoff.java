package io.rollcall.worker;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait after the nth failure in a row: doubling from a first delay to a cap, and of that a random share between a half and
 * the whole, so that instances that failed together do not come back together. Immutable.
 *
 * @param first after the first failure
 * @param cap the longest
 */
public record Backoff(Duration first, Duration cap) {

    private static final Duration FIRST = Duration.ofMillis(200);

    /** For work that is due at that interval: what is back is noticed within one. */
    public static Backoff within(Duration interval) {
        return new Backoff(FIRST.compareTo(interval) < 0 ? FIRST : interval, interval);
    }

    /**
     * @param failures in a row, at least 1
     * @param random picks the share
     */
    public Duration delay(int failures, RandomGenerator random) {
        long doubled = first.toNanos() << Math.min(failures - 1, 20);
        long nanos = Math.min(doubled, cap.toNanos());
        return Duration.ofNanos(nanos / 2 + (nanos < 2 ? 0 : random.nextLong(nanos / 2)));
    }
}
