package io.rollcall.concurrency.adaptive;

/** How a request that held a permit of an {@link AdaptiveBulkhead} has ended. */
public enum Completion {

    /** Answered: counts as throughput. */
    SUCCESS,

    /** Timed out or failed: took its time, but is no throughput. */
    DROPPED,

    /** Says nothing about the service: cancelled by the caller, or not started at all. Not timed. */
    IGNORED
}
