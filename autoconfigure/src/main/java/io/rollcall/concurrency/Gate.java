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
        ConcurrencyLimiter current = limiter;
        if (!current.tryAcquire()) {
            rejected.increment();
            return null;
        }
        return new Permit(current, nanoClock);
    }

    /** Keeps another limit from now on. What is in flight counts under it and goes on. Called by one thread at a time. */
    void limitBy(ConcurrencyLimiter next) {
        limiter = new Handover(limiter, next);
    }

    String name() {
        return name;
    }

    ConcurrencyLimiter limiter() {
        return limiter;
    }

    long rejected() {
        return rejected.sum();
    }
}
