package io.rollcall.concurrency.adaptive.simulation;

import io.rollcall.concurrency.adaptive.AdaptiveBulkhead;
import io.rollcall.concurrency.adaptive.AdaptiveLimitConfig;
import io.rollcall.concurrency.adaptive.Completion;
import java.util.Map;
import java.util.function.Supplier;

/** What the simulation drives. Times are virtual nanoseconds. */
interface Limiter {

    /** Returns a permit that is not negative, or a negative number. */
    long acquire(long now);

    void release(long permit, long now, boolean answered);

    int limit();

    static Limiter fixed(int limit) {
        return new Counting() {
            @Override
            public int limit() {
                return limit;
            }
        };
    }

    /** The algorithm of Netflix, fed as its own limiter feeds it. */
    static Limiter netflix(Supplier<com.netflix.concurrency.limits.Limit> algorithm) {
        com.netflix.concurrency.limits.Limit limit = algorithm.get();
        return new Counting() {
            @Override
            public int limit() {
                return limit.getLimit();
            }

            @Override
            public void release(long permit, long now, boolean answered) {
                limit.onSample(permit, Math.max(1, now - permit), this.inFlight, !answered);
                super.release(permit, now, answered);
            }
        };
    }

    /** The product: the bulkhead that applications get, on virtual time. */
    static Limiter rollcall(AdaptiveLimitConfig config, long seed) {
        long[] clock = {0};
        AdaptiveBulkhead bulkhead = new AdaptiveBulkhead("simulated", config, Map.of(), () -> clock[0], seed);
        return new Limiter() {
            @Override
            public long acquire(long now) {
                clock[0] = now;
                return bulkhead.tryAcquire();
            }

            @Override
            public void release(long permit, long now, boolean answered) {
                clock[0] = now;
                bulkhead.release(permit, answered ? Completion.SUCCESS : Completion.DROPPED);
            }

            @Override
            public int limit() {
                return bulkhead.limit();
            }

            @Override
            public String toString() {
                return bulkhead.toString();
            }
        };
    }

    /** Counts permits in a plain number. */
    abstract class Counting implements Limiter {

        int inFlight;

        @Override
        public long acquire(long now) {
            if (inFlight >= limit()) {
                return -1;
            }
            inFlight++;
            return now;
        }

        @Override
        public void release(long permit, long now, boolean answered) {
            inFlight--;
        }
    }
}
