package io.rollcall.concurrency;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.rollcall.concurrency.adaptive.AdaptiveBulkhead;
import io.rollcall.concurrency.adaptive.AdaptiveLimitConfig;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

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
        Bulkhead bulkhead = new GuardedBulkhead(name, config, registry.getTags());
        show(bulkhead);
        return new StaticLimiter(bulkhead);
    }

    private ConcurrencyLimiter adaptive(String name) {
        int floor = bounds.floor();
        int ceiling = bounds.ceiling();
        int initial = Math.max(floor, Math.min(ceiling, AdaptiveLimitConfig.DEFAULT_INITIAL));
        AdaptiveBulkhead bulkhead = new AdaptiveBulkhead(
                name,
                new AdaptiveLimitConfig(initial, floor, ceiling),
                registry.getTags(),
                System::nanoTime,
                ThreadLocalRandom.current().nextLong());
        show(bulkhead);
        return new AdaptiveLimiter(bulkhead, ceiling);
    }

    /** To replace one is all that the registry offers, and it replaces nothing that is not there. */
    private void show(Bulkhead bulkhead) {
        registry.bulkhead(bulkhead.getName());
        registry.replace(bulkhead.getName(), bulkhead);
    }
}
