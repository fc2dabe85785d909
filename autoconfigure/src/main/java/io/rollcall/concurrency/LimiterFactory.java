package io.rollcall.concurrency;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.rollcall.concurrency.adaptive.AdaptiveBulkhead;
import io.rollcall.concurrency.adaptive.AdaptiveLimitConfig;
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
        return max.auto() ? adaptive(name) : fixed(name, max.number().getAsInt());
    }

    ConcurrencyLimiter fixed(String name, int limit) {
        BulkheadConfig config = BulkheadConfig.custom()
                .maxConcurrentCalls(limit)
                .maxWaitDuration(Duration.ZERO)
                .build();
        // The registry would hand out one of that name as it is, with somebody else's limit.
        registry.remove(name);
        Bulkhead bulkhead = registry.bulkhead(name, config);
        return new StaticLimiter(bulkhead);
    }

    private ConcurrencyLimiter adaptive(String name) {
        int floor = bounds.floor();
        int ceiling = bounds.ceiling();
        int initial = Math.max(floor, Math.min(ceiling, AdaptiveLimitConfig.DEFAULT_INITIAL));
        AdaptiveBulkhead bulkhead = new AdaptiveBulkhead(name, new AdaptiveLimitConfig(initial, floor, ceiling));
        // To replace one is all that the registry offers, and it replaces nothing that is not there.
        registry.bulkhead(name);
        registry.replace(name, bulkhead);
        return new AdaptiveLimiter(bulkhead, ceiling);
    }
}
