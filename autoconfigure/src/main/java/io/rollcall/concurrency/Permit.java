package io.rollcall.concurrency;

import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One admitted request's permit, which can be given back only once, however many hooks report the end of the request.
 * Also the request's stopwatch, if its limit learns: the time in which the client keeps the server waiting is left out.
 *
 * <p>Thread-safe.
 */
final class Permit {

    static final int FIRST_SERVER_ERROR_STATUS = 500;

    private static final AtomicReferenceFieldUpdater<Permit, ConcurrencyLimiter> HOLDER =
            AtomicReferenceFieldUpdater.newUpdater(Permit.class, ConcurrencyLimiter.class, "holder");

    private final LongSupplier nanoClock;
    private final long start;
    private volatile @Nullable ConcurrencyLimiter holder;
    private volatile Outcome outcome = Outcome.ANSWERED;
    private volatile boolean timed;
    private volatile boolean asynchronous;
    private volatile boolean broken;
    private boolean waiting;
    private long waitingSince;
    private long waited;

    /**
     * @param limiter where the permit was taken; null if there is none
     */
    Permit(@Nullable ConcurrencyLimiter limiter, LongSupplier nanoClock) {
        holder = limiter;
        this.nanoClock = nanoClock;
        timed = limiter != null && limiter.learns();
        start = timed ? nanoClock.getAsLong() : 0;
    }

    /** Whether anybody wants to know how long the request took. */
    boolean timed() {
        return timed;
    }

    /** Notes how the request ended; what was noted first counts, since it is nearer to the cause. */
    void end(Outcome outcome) {
        if (this.outcome == Outcome.ANSWERED) {
            this.outcome = outcome;
        }
    }

    /** From now on the server waits for the client. */
    synchronized void clientWaited() {
        if (timed && !waiting) {
            waitingSince = nanoClock.getAsLong();
            waiting = true;
        }
    }

    /** From now on the server works again. */
    synchronized void clientReady() {
        if (waiting) {
            waited += nanoClock.getAsLong() - waitingSince;
            waiting = false;
        }
    }

    /** From now on the request goes on without the thread that it came on. */
    void goesOnAsynchronously() {
        asynchronous = true;
        releaseIfOrphaned();
    }

    /** The client cannot be reached any more, as a write showed. */
    void connectionBroken() {
        end(Outcome.ABANDONED);
        broken = true;
        releaseIfOrphaned();
    }

    /**
     * Of an asynchronous request whose connection broke Tomcat does not always report the end. A synchronous one ends when
     * its thread returns.
     */
    private void releaseIfOrphaned() {
        if (asynchronous && broken) {
            release();
        }
    }

    /** Gives the permit back, unless that was done. */
    void release() {
        ConcurrencyLimiter limiter = HOLDER.getAndSet(this, null);
        if (limiter == null) {
            return;
        }
        if (timed) {
            limiter.release(start, worked(), outcome);
        } else {
            limiter.release();
        }
    }

    private synchronized long worked() {
        clientReady();
        return Math.max(1, nanoClock.getAsLong() - start - waited);
    }

    /** A new permit in place of this one, for an owner that outlives the request; of this one nothing is left to give back. */
    Permit handOver() {
        return new Permit(HOLDER.getAndSet(this, null), nanoClock);
    }

    /** Keeps the request out of the samples, and exchanges its permit for one of the other gate unless that is full. */
    void moveTo(Gate other) {
        timed = false;
        ConcurrencyLimiter from = holder;
        ConcurrencyLimiter to = other.limiter();
        if (from == null || from == to || !to.tryAcquire()) {
            return;
        }
        ConcurrencyLimiter unused = HOLDER.compareAndSet(this, from, to) ? from : to;
        unused.release();
    }
}
