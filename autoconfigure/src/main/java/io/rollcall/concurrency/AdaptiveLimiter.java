package io.rollcall.concurrency;

import io.rollcall.concurrency.adaptive.AdaptiveBulkhead;
import io.rollcall.concurrency.adaptive.Completion;

/** The limit of {@code auto}: it follows what the requests took. */
final class AdaptiveLimiter implements ConcurrencyLimiter {

    private final AdaptiveBulkhead bulkhead;
    private final int ceiling;

    AdaptiveLimiter(AdaptiveBulkhead bulkhead, int ceiling) {
        this.bulkhead = bulkhead;
        this.ceiling = ceiling;
    }

    @Override
    public int limit() {
        return bulkhead.limit();
    }

    @Override
    public int highestLimit() {
        return ceiling;
    }

    @Override
    public int inFlight() {
        return bulkhead.inFlight();
    }

    @Override
    public boolean tryAcquire() {
        return bulkhead.tryAcquirePermission();
    }

    @Override
    public void release() {
        bulkhead.releasePermission();
    }

    @Override
    public boolean learns() {
        return true;
    }

    @Override
    public void release(long startNanos, long workNanos, Outcome outcome) {
        Completion completion = switch (outcome) {
            case ANSWERED -> Completion.SUCCESS;
            case FAILED, TIMED_OUT -> Completion.DROPPED;
            case ABANDONED -> Completion.IGNORED;
        };
        bulkhead.release(completion, workNanos);
    }

    @Override
    public String toString() {
        return bulkhead.toString();
    }
}
