package io.rollcall.loadbalancer;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * One instance that has failed: counts its failures in a row, and once it is set aside knows when a single call may try it again.
 * Guarded by the {@link Outliers} that it belongs to.
 */
final class Outlier {

    /** So long an offer counts that nobody took or gave back. */
    private static final long OFFER = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long FORGOTTEN = TimeUnit.MINUTES.toNanos(1);

    private final Address address;

    private final @Nullable String incarnation;

    private final OutlierPolicy policy;

    private final LongSupplier nanoClock;

    private int failures;

    private @Nullable Verdict setAsideFor;

    private int epoch;

    private int intervals;

    private long dueAt;

    private long dueSince;

    private long listedAt;

    private boolean offered;

    /**
     * @param incarnation tells one life of the instance from the next, or null if nothing does
     */
    Outlier(Address address, @Nullable String incarnation, OutlierPolicy policy, LongSupplier nanoClock) {
        this.address = address;
        this.incarnation = incarnation;
        this.policy = policy;
        this.nanoClock = nanoClock;
        listedAt = nanoClock.getAsLong();
    }

    Address address() {
        return address;
    }

    @Nullable
    String incarnation() {
        return incarnation;
    }

    boolean isSetAside() {
        return setAsideFor != null;
    }

    boolean isUnreachable() {
        return setAsideFor == Verdict.UNREACHABLE;
    }

    /** The number of the change by which it was set aside. */
    int epoch() {
        return epoch;
    }

    /**
     * Takes note of a failure.
     * @param next the number of the change, if it is one
     * @return whether it is: the instance was not set aside so, and is now
     */
    boolean failed(Verdict verdict, int next) {
        failures++;
        if (verdict != Verdict.UNREACHABLE && failures < policy.consecutiveFailures()) {
            return false;
        }
        if (!isSetAside()) {
            setAsideFor = verdict;
            epoch = next;
            intervals = 1;
            waitFrom(nanoClock.getAsLong());
            return true;
        }
        return isWorse(verdict);
    }

    private boolean isWorse(Verdict verdict) {
        boolean worse = verdict == Verdict.UNREACHABLE && !isUnreachable();
        if (worse) {
            setAsideFor = verdict;
        }
        return worse;
    }

    /** When it may be offered, on the nano clock. */
    long dueAt() {
        return dueAt;
    }

    boolean isDue(long now) {
        return now - dueAt >= 0;
    }

    /** Whether it has been due for so long that a call may try it that could not move on if that fails. */
    boolean isOverdue(long now) {
        return isDue(now) && now - dueSince >= policy.firstInterval();
    }

    boolean isOffered() {
        return offered;
    }

    /** Lets one call choose it. Until that is taken or withdrawn, no other may, for a moment. */
    void offer(long now) {
        offered = true;
        dueAt = now + OFFER;
    }

    /** The call chose another one. */
    void withdraw(long now) {
        offered = false;
        dueAt = now;
    }

    /** The call chose it. Whatever comes of that, or nothing, the next one comes later still. */
    void probed(long now) {
        offered = false;
        intervals++;
        waitFrom(now);
    }

    private void waitFrom(long now) {
        dueAt = now + policy.interval(intervals);
        dueSince = dueAt;
    }

    /** The call that tried it failed: the wait begins only now, and for the reason of now. */
    void probeFailed(Verdict verdict) {
        setAsideFor = verdict;
        waitFrom(nanoClock.getAsLong());
    }

    /** Whether this was the first failure. */
    boolean isNew() {
        return failures == 1;
    }

    void listed(long now) {
        listedAt = now;
    }

    /** Whether it has not been listed for so long that it is taken for gone, where lists are known to be incomplete. */
    boolean isLongUnlisted(long now) {
        return now - listedAt > FORGOTTEN;
    }

    @Override
    public String toString() {
        return address + " " + setAsideFor + " after " + failures;
    }
}
