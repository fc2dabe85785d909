package io.rollcall.concurrency;

/**
 * Counts permits: the seam between the filters and a limit, whatever the limit's rule. Never queues and never blocks.
 * Thread-safe. Whoever was admitted calls exactly one of the two {@code release} methods, once; {@link Permit} sees to
 * that.
 */
interface ConcurrencyLimiter {

    /** The permits there are now. */
    int limit();

    /** The most permits there will ever be. */
    default int highestLimit() {
        return limit();
    }

    /** The permits in use; above {@link #limit()} for a while after the limit was lowered. */
    int inFlight();

    /** Takes a permit, or does not, at once. */
    boolean tryAcquire();

    /** Gives a permit back without a word about the server's speed. */
    void release();

    /** Whether this limit learns from {@link #release(long, long, Outcome)}; if not, no request is timed. */
    default boolean learns() {
        return false;
    }

    /**
     * Gives a permit back and says what the request took.
     *
     * @param startNanos the nano clock when the permit was taken
     * @param workNanos how long the server worked, at least 1: from the permit to the end of the response, less the time
     *     in which the server waited for the client to read. The permit itself was held from {@code startNanos} until now.
     * @param outcome how the request ended
     */
    default void release(long startNanos, long workNanos, Outcome outcome) {
        release();
    }
}
