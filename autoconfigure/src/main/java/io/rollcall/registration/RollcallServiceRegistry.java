package io.rollcall.registration;

import io.rollcall.registry.Instance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.client.serviceregistry.ServiceRegistry;

/**
 * The fan-out: hands every registration to all registries it is meant for. Nothing here waits for a registry, and an instance that
 * was taken offline stays so until it is asked for again, whatever readiness says meanwhile. Thread-safe.
 */
public final class RollcallServiceRegistry implements ServiceRegistry<Registration>, AutoCloseable {

    private static final Set<String> ONLINE = Set.of("UP", "ONLINE", "CANCEL_OVERRIDE");

    private static final Set<String> OFFLINE = Set.of("OFFLINE", "OUT_OF_SERVICE", "DOWN");

    private final List<RegistrarWorker> workers;

    private final Map<String, Member> members = new LinkedHashMap<>();

    /** What new members begin with. */
    private boolean offline;

    RollcallServiceRegistry(List<RegistrarWorker> workers) {
        this.workers = List.copyOf(workers);
    }

    /** What is wanted of one instance. */
    private static final class Member {

        private Instance instance;

        private final @Nullable Set<String> registries;

        private boolean registered;

        private boolean offline;

        Member(Instance instance, @Nullable Set<String> registries, boolean offline) {
            this.instance = instance;
            this.registries = registries;
            this.offline = offline;
        }

        RegistrationState goal() {
            if (!registered) {
                return RegistrationState.DEREGISTERED;
            }
            return offline ? RegistrationState.OFFLINE : RegistrationState.REGISTERED;
        }
    }

    @Override
    public void register(@Nullable Registration registration) {
        if (registration != null) {
            join(registration);
        }
    }

    @Override
    public void deregister(@Nullable Registration registration) {
        if (registration != null) {
            leave(registration);
        }
    }

    /** Registers, and tells of each registry when it has confirmed. */
    synchronized Map<String, CompletableFuture<Boolean>> join(Registration registration) {
        Member member = member(registration);
        member.registered = true;
        return apply(member);
    }

    /** Deregisters, and tells of each registry when it has confirmed. */
    synchronized Map<String, CompletableFuture<Boolean>> leave(Registration registration) {
        Member member = member(registration);
        member.registered = false;
        return apply(member);
    }

    /**
     * Takes an instance out of all registries or puts it back.
     *
     * @param status {@code UP} or {@code ONLINE}; {@code OUT_OF_SERVICE}, {@code DOWN} or {@code OFFLINE}
     * @throws IllegalArgumentException for another status
     */
    @Override
    public synchronized void setStatus(Registration registration, String status) {
        String wanted = status.toUpperCase(Locale.ROOT);
        if (!ONLINE.contains(wanted) && !OFFLINE.contains(wanted)) {
            throw new IllegalArgumentException("Unknown status '" + status + "': use UP or OUT_OF_SERVICE");
        }
        setOffline(member(registration), OFFLINE.contains(wanted));
    }

    /**
     * Takes all instances, those that are yet to be registered too, out of all registries, or puts them back. Returns at once.
     */
    public synchronized void setOffline(boolean newOffline) {
        offline = newOffline;
        members.values().forEach(member -> setOffline(member, newOffline));
    }

    private void setOffline(Member member, boolean newOffline) {
        boolean changed = member.offline != newOffline;
        member.offline = newOffline;
        if (changed && member.registered) {
            apply(member);
        }
    }

    /**
     * Tells all registries of other metadata of an instance, if it is registered. Returns at once.
     *
     * @param change makes the new metadata of what is told now; must be quick, since no other change is made meanwhile
     */
    public synchronized void update(RollcallRegistration registration, UnaryOperator<Map<String, String>> change) {
        Instance instance = registration.getInstance();
        if (instance != null) {
            registration.instance(instance.withMetadata(change.apply(instance.metadata())));
            Member member = member(registration);
            if (member.goal() == RegistrationState.REGISTERED) {
                apply(member);
            }
        }
    }

    /** {@code UP} or {@code OUT_OF_SERVICE}: what was asked for, whatever each registry has made of it. */
    @Override
    @SuppressWarnings("unchecked")
    public synchronized <T> T getStatus(Registration registration) {
        return (T) (isOffline(registration) ? "OUT_OF_SERVICE" : "UP");
    }

    /** Whether the instance was taken offline on request. */
    public synchronized boolean isOffline(Registration registration) {
        boolean bound = !(registration instanceof RollcallRegistration ours) || ours.getInstance() != null;
        return bound ? member(registration).offline : offline;
    }

    /** The status in every registry that the registration is meant for and was handed to, in the registries' order. */
    public synchronized Map<String, RegistrationStatus> statuses(RollcallRegistration registration) {
        Map<String, RegistrationStatus> statuses = new LinkedHashMap<>();
        Instance instance = registration.getInstance();
        if (instance != null) {
            for (RegistrarWorker worker : workers) {
                RegistrationStatus status = worker.status(instance);
                if (status != null) {
                    statuses.put(worker.registry().name(), status);
                }
            }
        }
        return statuses;
    }

    /** Whether an instance of that id is to be registered. */
    synchronized boolean registers(String instanceId) {
        Member member = members.get(instanceId);
        return member != null && member.registered;
    }

    private Member member(Registration registration) {
        Instance instance = instance(registration);
        Member member = members.computeIfAbsent(
                instance.id(),
                id -> new Member(
                        instance,
                        registration instanceof RollcallRegistration ours ? ours.registries() : null,
                        offline));
        member.instance = instance;
        return member;
    }

    private Map<String, CompletableFuture<Boolean>> apply(Member member) {
        RegistrationState goal = member.goal();
        Map<String, CompletableFuture<Boolean>> reached = new LinkedHashMap<>();
        for (RegistrarWorker worker : workers) {
            if (member.registries == null
                    || member.registries.contains(worker.registry().name())) {
                reached.put(
                        worker.registry().name(),
                        goal == RegistrationState.REGISTERED
                                ? worker.join(member.instance)
                                : worker.leave(member.instance, goal));
            }
        }
        return reached;
    }

    private static Instance instance(Registration registration) {
        if (registration instanceof RollcallRegistration ours) {
            Instance instance = ours.getInstance();
            if (instance == null) {
                throw new IllegalStateException("The " + ours.getPortName() + " port is not bound yet");
            }
            return instance;
        }
        String id = registration.getInstanceId();
        return new Instance(
                id != null
                        ? id
                        : registration.getServiceId() + "-" + registration.getHost() + "-" + registration.getPort(),
                registration.getServiceId(),
                registration.getHost(),
                registration.getPort(),
                registration.isSecure(),
                registration.getMetadata() == null ? Map.of() : registration.getMetadata());
    }

    /** Ends the workers' threads; nothing is renewed any more. */
    @Override
    public void close() {
        // All are interrupted before the first is waited for.
        workers.forEach(RegistrarWorker::shutdown);
        workers.forEach(RegistrarWorker::close);
    }
}
