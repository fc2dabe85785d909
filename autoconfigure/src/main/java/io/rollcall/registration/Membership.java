package io.rollcall.registration;

import io.rollcall.registry.Instance;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One instance in one registry: what is wanted, which any thread may change, and how far it has come, which the registry's own thread
 * keeps and any thread may read.
 */
final class Membership {

    private final AtomicBoolean queued = new AtomicBoolean();

    private volatile Wanted wanted;

    private volatile RegistrationStatus status;

    /** When the registry last listed it, on the nano clock, which does not jump; null if it is not listed. Of the registry's thread. */
    private @Nullable Long listedAt;

    /**
     * Whether a join was begun and no leave confirmed since: a call that failed, or was interrupted, may have been heard all the same. Of
     * the registry's thread only.
     */
    boolean mayBeListed;

    /** The next renewal or attempt. Of the registry's thread only. */
    @Nullable
    Future<?> next;

    Membership(Wanted wanted, RegistrationStatus status) {
        this.wanted = wanted;
        this.status = status;
    }

    Wanted wanted() {
        return wanted;
    }

    /** Replaces what was wanted before; whoever waits for that is told that it is no longer so. */
    void want(Wanted newlyWanted) {
        Wanted before;
        synchronized (this) {
            before = wanted;
            wanted = newlyWanted;
        }
        if (before != newlyWanted) {
            before.reached().complete(false);
        }
    }

    /** Whether its thread has yet to be told that something else is wanted; however many commands come meanwhile, it is told once. */
    boolean queue() {
        return queued.compareAndSet(false, true);
    }

    void dequeue() {
        queued.set(false);
    }

    RegistrationStatus status() {
        return status;
    }

    void status(RegistrationStatus newStatus) {
        status = newStatus;
    }

    /** The registry has just confirmed what the status says. */
    void confirmed(RegistrationStatus newStatus) {
        boolean listed = newStatus.state() == RegistrationState.REGISTERED;
        listedAt = listed ? System.nanoTime() : null;
        mayBeListed = listed;
        status = newStatus;
    }

    /** Whether the registry has listed it, but has not said so for that long. */
    boolean isListedLongerAgo(Duration ttl) {
        return listedAt != null && System.nanoTime() - listedAt > ttl.toNanos();
    }

    /**
     * What is wanted.
     *
     * @param instance the instance as it is to be listed or removed
     * @param goal {@code REGISTERED}, or the state to be in after leaving
     * @param reached completed with true when the registry has confirmed it, with false when something else is wanted by now
     */
    record Wanted(Instance instance, RegistrationState goal, CompletableFuture<Boolean> reached) {

        static Wanted of(Instance instance, RegistrationState goal) {
            return new Wanted(instance, goal, new CompletableFuture<>());
        }

        boolean joined() {
            return goal == RegistrationState.REGISTERED;
        }
    }
}
