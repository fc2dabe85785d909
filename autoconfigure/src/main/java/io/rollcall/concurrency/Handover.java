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
        if (!this.current.tryAcquire()) {
            return false;
        }
        int before = inFlightBefore();
        if (before > 0 && before + this.current.inFlight() > this.current.limit()) {
            this.current.release();
            return false;
        }
        return true;
    }

    private int inFlightBefore() {
        ConcurrencyLimiter old = this.previous;
        if (old == null) {
            return 0;
        }
        int inFlight = old.inFlight();
        if (inFlight == 0) {
            this.previous = null;
        }
        return inFlight;
    }

    @Override
    public int limit() {
        return this.current.limit();
    }

    @Override
    public int highestLimit() {
        return this.current.highestLimit();
    }

    @Override
    public int inFlight() {
        return inFlightBefore() + this.current.inFlight();
    }

    @Override
    public void release() {
        this.current.release();
    }

    @Override
    public boolean learns() {
        return this.current.learns();
    }

    @Override
    public void release(long startNanos, long workNanos, Outcome outcome) {
        this.current.release(startNanos, workNanos, outcome);
    }

    @Override
    public String toString() {
        return this.current + ", and " + inFlightBefore() + " admitted before it";
    }
}
