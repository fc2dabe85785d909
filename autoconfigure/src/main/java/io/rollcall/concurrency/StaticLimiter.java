package io.rollcall.concurrency;

import io.github.resilience4j.bulkhead.Bulkhead;

/**
 * A limit that stays: resilience4j's bulkhead, asked never to wait. The bulkhead itself would believe a second release of
 * one permit and admit more from then on; {@link Permit} makes that impossible.
 */
final class StaticLimiter implements ConcurrencyLimiter {

    private final Bulkhead bulkhead;

    StaticLimiter(Bulkhead bulkhead) {
        this.bulkhead = bulkhead;
    }

    @Override
    public int limit() {
        return bulkhead.getMetrics().getMaxAllowedConcurrentCalls();
    }

    @Override
    public int inFlight() {
        Bulkhead.Metrics metrics = bulkhead.getMetrics();
        return metrics.getMaxAllowedConcurrentCalls() - metrics.getAvailableConcurrentCalls();
    }

    @Override
    public boolean tryAcquire() {
        return bulkhead.tryAcquirePermission();
    }

    @Override
    public void release() {
        bulkhead.onComplete();
    }

    @Override
    public String toString() {
        return bulkhead.getName() + " " + inFlight() + "/" + limit();
    }
}
