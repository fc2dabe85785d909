package io.rollcall.loadbalancer;

import io.rollcall.worker.Backoff;
import java.util.random.RandomGenerator;

/**
 * When instances are set aside, and how long.
 *
 * @param consecutiveFailures server errors and time-outs in a row
 * @param backoff between calls that try an instance again
 * @param random spreads the intervals, so that not all consumers try at the same time
 */
record OutlierPolicy(int consecutiveFailures, Backoff backoff, RandomGenerator random) {

    static OutlierPolicy of(OutlierProperties properties, RandomGenerator random) {
        return new OutlierPolicy(
                properties.getConsecutiveFailures(),
                new Backoff(properties.getBaseInterval(), properties.getMaxInterval()),
                random);
    }

    /** The nth interval, in nanoseconds. */
    long interval(int n) {
        return backoff.delay(n, random).toNanos();
    }

    /** The first interval at its longest, in nanoseconds. */
    long firstInterval() {
        return Math.min(backoff.first().toNanos(), backoff.cap().toNanos());
    }
}
