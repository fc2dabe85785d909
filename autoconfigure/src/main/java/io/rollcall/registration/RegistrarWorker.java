package io.rollcall.registration;

import io.rollcall.registration.Membership.Wanted;
import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Backoff;
import io.rollcall.worker.RegistryThread;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BiConsumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * Brings one registry to list what is wanted there, and keeps it so: joins, renews, tries again, leaves. All calls are made from
 * one thread, so their order is that of the commands; the last command wins. Thread-safe.
 */
final class RegistrarWorker implements AutoCloseable {

    private static final Log logger = LogFactory.getLog(RegistrarWorker.class);

    /** How often a registry that checks liveness itself is asked whether it still knows the instance. */
    private static final Duration RECONCILE = Duration.ofSeconds(5);

    private final Registry registry;

    private final Registrar registrar;

    private final RegistryThread thread;

    private final Clock clock;

    private final BiConsumer<Instance, RegistrationStatus> listener;

    private final CallObserver observer;

    private final Duration interval;

    private final Backoff backoff;

    private final Map<String, Membership> memberships = new ConcurrentHashMap<>();

    private volatile @Nullable Membership current;

    RegistrarWorker(
            Registry registry,
            Registrar registrar,
            Alarms alarms,
            Clock clock,
            BiConsumer<Instance, RegistrationStatus> listener,
            CallObserver observer) {
        this.registry = registry;
        this.registrar = registrar;
        this.thread = new RegistryThread(
                "rollcall-" + registry.name(), registry.timing().timeout(), alarms);
        this.clock = clock;
        this.listener = listener;
        this.observer = observer;
        this.interval = registry.timing().interval().isZero()
                ? RECONCILE
                : registry.timing().interval();
        this.backoff = Backoff.within(interval);
    }

    Registry registry() {
        return registry;
    }

    /**
     * Lists the instance from now on. Returns at once.
     *
     * @return completed with true when the registry has confirmed it
     */
    CompletableFuture<Boolean> join(Instance instance) {
        String address = registry.address();
        Wanted wanted =
                Wanted.of(address == null ? instance : instance.withHost(address), RegistrationState.REGISTERED);
        want(instance, wanted);
        return wanted.reached();
    }

    /**
     * Lists the instance no more. Returns at once.
     *
     * @param goal the state to be in then
     * @return completed with true when the registry has confirmed it; at once if it was never joined
     */
    CompletableFuture<Boolean> leave(Instance instance, RegistrationState goal) {
        Membership membership = memberships.get(instance.id());
        if (membership == null) {
            return CompletableFuture.completedFuture(true);
        }
        Wanted wanted = Wanted.of(membership.wanted().instance(), goal);
        want(instance, wanted);
        return wanted.reached();
    }

    /** The instance's status, or null if it was never joined. */
    @Nullable
    RegistrationStatus status(Instance instance) {
        Membership membership = memberships.get(instance.id());
        return membership == null ? null : membership.status();
    }

    private void want(Instance instance, Wanted wanted) {
        Membership membership = memberships.computeIfAbsent(
                instance.id(), id -> new Membership(wanted, RegistrationStatus.pending(clock.instant())));
        membership.want(wanted);
        if (!wanted.joined() && current == membership) {
            // A renewal that hangs would only delay the leave; what it may still write, the leave comes after.
            thread.giveUp("given up in order to leave");
        }
        if (membership.queue()) {
            thread.execute(() -> {
                membership.dequeue();
                reconcile(membership);
            });
        }
    }

    private void reconcile(Membership membership) {
        try {
            bringAbout(membership);
        } catch (RuntimeException | Error ex) {
            // A fault of an observer or of ours, which the thread logs: it must not be the end of the renewals.
            repeat(membership, interval);
            throw ex;
        }
    }

    private void bringAbout(Membership membership) {
        if (membership.next != null) {
            membership.next.cancel(false);
            membership.next = null;
        }
        Wanted wanted = membership.wanted();
        if (wanted.joined()) {
            join(membership, wanted);
        } else if (membership.mayBeListed || membership.status().state() != wanted.goal()) {
            leave(membership, wanted);
        } else {
            wanted.reached().complete(true);
        }
    }

    private void join(Membership membership, Wanted wanted) {
        current = membership;
        membership.mayBeListed = true;
        boolean joined = call("join", registrar::join, membership, wanted);
        current = null;
        if (joined) {
            succeeded(membership, wanted, RegistrationState.REGISTERED);
            if (membership.wanted() == wanted) {
                // A little less than the interval, so that instances that were started together do not renew together.
                int share = ThreadLocalRandom.current().nextInt(900, 1000);
                repeat(membership, interval.multipliedBy(share).dividedBy(1000));
            }
        }
    }

    private void leave(Membership membership, Wanted wanted) {
        if (call("leave", registrar::leave, membership, wanted)) {
            succeeded(membership, wanted, wanted.goal());
        }
    }

    private interface Operation {

        void on(Instance instance) throws Exception;
    }

    /** Whether the registry has confirmed it. */
    private boolean call(String name, Operation operation, Membership membership, Wanted wanted) {
        long start = System.nanoTime();
        Exception failure = null;
        try {
            thread.call(() -> {
                operation.on(wanted.instance());
                return true;
            });
        } catch (Exception ex) {
            failure = ex;
        }
        observer.called(registry.name(), name, Duration.ofNanos(System.nanoTime() - start), failure == null);
        if (failure != null) {
            failed(membership, wanted, failure);
        }
        return failure == null;
    }

    private void succeeded(Membership membership, Wanted wanted, RegistrationState reached) {
        RegistrationStatus before = membership.status();
        Instant now = clock.instant();
        RegistrationStatus after = before.succeeded(reached, now);
        membership.confirmed(after);
        wanted.reached().complete(true);
        if (before.state() != reached) {
            logger.info(describe(wanted.instance()) + " is " + reached + " in " + registry.name()
                    + (before.attempts() > 0 ? " after " + before.attempts() + " failed attempts" : ""));
            listener.accept(wanted.instance(), after);
        }
    }

    private void failed(Membership membership, Wanted wanted, Exception failure) {
        if (membership.wanted() != wanted) {
            // Something else is wanted by now and already on its way; this failure is of no interest.
            logger.debug("Superseded in " + registry.name(), failure);
            return;
        }
        Instant now = clock.instant();
        RegistrationStatus before = membership.status();
        if (!wanted.joined() && before.lastSuccess() == null) {
            // It was never seen to be listed: nobody is kept waiting for it to go.
            wanted.reached().complete(false);
        }
        RegistrationStatus after = before.failed(stateAfter(failure, membership, wanted), message(failure), now);
        membership.status(after);
        if (before.state() != after.state() || before.attempts() == 0) {
            logger.warn(describe(wanted.instance()) + " is " + after.state() + " in " + registry.name() + ": "
                    + after.lastError());
            listener.accept(wanted.instance(), after);
        }
        logger.debug("Attempt " + after.attempts() + " failed in " + registry.name(), failure);
        repeat(
                membership,
                failure instanceof RefusedException
                        ? interval
                        : backoff.delay(after.attempts(), ThreadLocalRandom.current()));
    }

    private RegistrationState stateAfter(Exception failure, Membership membership, Wanted wanted) {
        if (failure instanceof RefusedException) {
            return RegistrationState.FAILED;
        }
        return wanted.joined() && membership.isListedLongerAgo(registry.timing().ttl())
                ? RegistrationState.LOST
                : RegistrationState.RETRYING;
    }

    private void repeat(Membership membership, Duration delay) {
        Future<?> next = thread.schedule(() -> reconcile(membership), delay);
        membership.next = next;
        membership.status(membership.status().due(clock.instant(), delay));
    }

    private static String describe(Instance instance) {
        return instance.id() + " (" + instance.address() + ")";
    }

    /** The message of the exception and of its first cause that says something else. */
    private static String message(Throwable failure) {
        StringBuilder message = new StringBuilder(text(failure));
        Throwable cause = failure.getCause();
        while (cause != null && cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        if (cause != null && message.indexOf(text(cause)) < 0) {
            message.append(" (").append(text(cause)).append(')');
        }
        return message.length() > 500 ? message.substring(0, 500) + "..." : message.toString();
    }

    private static String text(Throwable failure) {
        return failure.getMessage() != null
                ? failure.getMessage()
                : failure.getClass().getSimpleName();
    }

    /** Begins to end the thread. */
    void shutdown() {
        thread.shutdown();
    }

    @Override
    public void close() {
        thread.close();
        memberships.values().forEach(membership -> membership.wanted().reached().complete(false));
    }
}
