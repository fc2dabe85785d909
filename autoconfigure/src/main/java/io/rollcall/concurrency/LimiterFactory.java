package io.rollcall.concurrency;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import java.time.Duration;

/** Makes the limiter that a setting asks for, and puts its bulkhead where resilience4j's events and metrics look. */
final class LimiterFactory {

    private final BulkheadRegistry registry;
    private final LimitBounds bounds;

    LimiterFactory(BulkheadRegistry registry, LimitBounds bounds) {
        this.registry = registry;
        this.bounds = bounds;
    }

    ConcurrencyLimiter create(String name, MaxConcurrency max) {
        return max.auto() ? adaptive(name, max) : fixed(name, max.number().getAsInt());
    }

    ConcurrencyLimiter fixed(String name, int limit) {
        BulkheadConfig config = BulkheadConfig.custom()
                .maxConcurrentCalls(limit)
                .maxWaitDuration(Duration.ZERO)
                .build();
        // The registry would hand out one of that name as it is, with somebody else's limit.
        this.registry.remove(name);
        Bulkhead bulkhead = this.registry.bulkhead(name, config);
        return new StaticLimiter(bulkhead);
    }

    private ConcurrencyLimiter adaptive(String name, MaxConcurrency max) {
        throw new InvalidConcurrencySettingException(
                max.property(),
                max,
                "this version has no adaptive limit for " + name + " within " + this.bounds,
                "Set a whole number from 1.");
    }
}
