package io.rollcall.concurrency;

import java.util.concurrent.atomic.LongAdder;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** One limit with its name and what it turned away. Thread-safe. */
final class Gate {

    private final String name;
    private final ConcurrencyLimiter limiter;
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
        if (!this.limiter.tryAcquire()) {
            this.rejected.increment();
            return null;
        }
        return new Permit(this.limiter, this.nanoClock);
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
