package io.rollcall.concurrency;

import org.jspecify.annotations.Nullable;

/**
 * A limiter that takes another one's place while permits of the old one are out: they count under the new limit until they are
 * given back, where they were taken. A request that is being admitted by the old one in the very moment of the change is not seen
 * until it was.
 */
final class Handover implements ConcurrencyLimiter {

    private volatile @Nullable ConcurrencyLimiter previous;
    private final ConcurrencyLimiter current;

    Handover(ConcurrencyLimiter previous, ConcurrencyLimiter current) {
        this.previous = previous;
        this.current = current;
    }

    @Override
    public boolean tryAcquire() {
        if (!current.tryAcquire()) {
            return false;
        }
        int before = inFlightBefore();
        if (before > 0 && before + current.inFlight() > current.limit()) {
            current.release();
            return false;
        }
        return true;
    }

    private int inFlightBefore() {
        ConcurrencyLimiter old = previous;
        if (old == null) {
            return 0;
        }
        int inFlight = old.inFlight();
        if (inFlight == 0) {
            previous = null;
        }
        return inFlight;
    }

    @Override
    public int limit() {
        return current.limit();
    }

    @Override
    public int highestLimit() {
        return current.highestLimit();
    }

    @Override
    public int inFlight() {
        return inFlightBefore() + current.inFlight();
    }

    @Override
    public void release() {
        current.release();
    }

    @Override
    public boolean learns() {
        return current.learns();
    }

    @Override
    public void release(long startNanos, long workNanos, Outcome outcome) {
        current.release(startNanos, workNanos, outcome);
    }

    @Override
    public String toString() {
        return current + ", and " + inFlightBefore() + " admitted before it";
    }
}
