package io.rollcall.concurrency;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One limit with its name and what it turned away. Thread-safe. */
final class Gate {

    private final String name;
    private volatile ConcurrencyLimiter limiter;
    private final LongSupplier nanoClock;
    private final LongAdder rejected = new LongAdder();

    Gate(String name, ConcurrencyLimiter limiter, LongSupplier nanoClock) {
        this.name = name;
        this.limiter = limiter;
        this.nanoClock = nanoClock;
    }

    /** Lets one request in, at once; null if there is no room, which counts as a rejection. */
    @Nullable
    Permit tryEnter() {
        ConcurrencyLimiter current = this.limiter;
        if (!current.tryAcquire()) {
            this.rejected.increment();
            return null;
        }
        return new Permit(current, this.nanoClock);
    }

    /** Keeps another limit from now on. What is in flight counts under it and goes on. Called by one thread at a time. */
    void limitBy(ConcurrencyLimiter next) {
        this.limiter = new Handover(this.limiter, next);
    }

    String name() {
        return this.name;
    }

    ConcurrencyLimiter limiter() {
        return this.limiter;
    }

    long rejected() {
        return this.rejected.sum();
    }
}
