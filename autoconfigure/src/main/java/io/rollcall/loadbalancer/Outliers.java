package io.rollcall.loadbalancer;

import io.rollcall.loadbalancer.Selection.Aside;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;

/**
 * The instances of one service that fail, as this application's own calls find out. Those that can not be reached, or fail several
 * times in a row, are set aside. From then on, one call at a time is offered such an instance beside the others, at growing intervals;
 * if it serves that call it is in use again. Nothing is kept of an instance that is not listed any more, and while no instance fails
 * this costs the look at an empty map. Thread-safe; changes take a short lock.
 */
final class Outliers {

    /** The metadata key that tells one life of an instance from the next. */
    private static final String START_TIME = "startTime";

    private final OutlierPolicy policy;

    private final LongSupplier nanoClock;

    private final OutlierLog log;

    private final Map<Address, Outlier> outliers = new ConcurrentHashMap<>();

    private final AtomicInteger turn = new AtomicInteger();

    /** Counts the changes in what is set aside. */
    private volatile int epoch;

    private volatile Selection selection = new Selection(List.of(), 0, List.of(), List.of());

    private volatile long nextDueAt;

    Outliers(String serviceId, OutlierPolicy policy, LongSupplier nanoClock) {
        this.policy = policy;
        this.nanoClock = nanoClock;
        log = new OutlierLog(serviceId, nanoClock);
    }

    /** Whether no instance has failed lately, so that there is nothing to ask. */
    boolean isEmpty() {
        return outliers.isEmpty();
    }

    /** How many instances of the last list are not in use. */
    synchronized int count() {
        return aside().size();
    }

    private List<Aside> aside() {
        return Selection.of(selection.list(), epoch, outliers).aside();
    }

    synchronized boolean isSetAside(ServiceInstance instance) {
        Outlier outlier = outliers.get(Address.of(instance));
        return outlier != null && outlier.isSetAside();
    }

    /**
     * Takes away what is set aside, and what the call has tried.
     * @param list the instances that take traffic, the same object as long as it does not change
     * @param complete whether the list is all there is, and the same for every call
     * @return what to choose from
     */
    List<ServiceInstance> candidates(List<ServiceInstance> list, boolean complete, Request<?> request) {
        Call call = Call.of(request);
        Selection current = selection;
        if (!current.isFor(list, epoch)) {
            current = select(list, complete);
        }
        if (current.isNoneLeft()) {
            return oneOf(call != null ? call.untried(list) : list);
        }
        if (!current.aside().isEmpty() && nanoClock.getAsLong() - nextDueAt >= 0 && !RequestKeys.isUpgrade(request)) {
            ServiceInstance offer = offer(current, call, request);
            if (offer != null) {
                List<ServiceInstance> candidates = current.inUseAnd(offer);
                return call != null ? call.untried(candidates) : candidates;
            }
        }
        if (call == null) {
            return current.inUse();
        }
        List<ServiceInstance> untried = call.untried(current.inUse());
        // A call that moved on may find that the rest was set aside meanwhile; better one of those than none.
        return untried.isEmpty() && !current.aside().isEmpty() ? oneOf(call.untried(list)) : untried;
    }

    /** Where all are unreachable, each call tries another one first. */
    private List<ServiceInstance> oneOf(List<ServiceInstance> untried) {
        return untried.size() < 2
                ? untried
                : List.of(untried.get(Math.floorMod(turn.getAndIncrement(), untried.size())));
    }

    private synchronized @Nullable ServiceInstance offer(Selection current, @Nullable Call call, Request<?> request) {
        long now = nanoClock.getAsLong();
        boolean harmless = call != null && call.mayProbe() && isIdempotent(request);
        boolean retry = Call.isRetry(request);
        Aside longest = null;
        for (Aside aside : current.aside()) {
            Outlier outlier = aside.outlier();
            boolean due = harmless ? outlier.isDue(now) : !retry && outlier.isOverdue(now);
            if (due
                    && outliers.get(outlier.address()) == outlier
                    && (longest == null || outlier.dueAt() - longest.outlier().dueAt() < 0)) {
                longest = aside;
            }
        }
        if (longest == null) {
            return null;
        }
        longest.outlier().offer(now);
        planNext();
        if (call != null) {
            call.offer(longest.outlier());
        }
        return longest.instance();
    }

    private static boolean isIdempotent(Request<?> request) {
        RequestData data = RequestKeys.data(request);
        return data != null && Outcomes.isIdempotent(data.getHttpMethod());
    }

    /** An attempt begins: if its instance was offered, that is the call that tries it. */
    void started(ServiceInstance instance, @Nullable Call call) {
        Outlier offered = null;
        if (call != null) {
            offered = call.takeOffer();
            call.begunIn(epoch);
        }
        if (offered != null || (call == null && !isEmpty())) {
            settle(offered, outliers.get(Address.of(instance)), call);
        }
    }

    private synchronized void settle(@Nullable Outlier offered, @Nullable Outlier chosen, @Nullable Call call) {
        long now = nanoClock.getAsLong();
        if (chosen != null && chosen.isOffered() && (call == null || chosen == offered)) {
            chosen.probed(now);
            if (call != null) {
                call.offer(chosen);
            }
        } else if (offered != null && call != null) {
            offered.withdraw(now);
            call.decline();
        }
        planNext();
    }

    /**
     * An attempt has ended.
     * @param call the call, or null if its client does not move on
     */
    void ended(ServiceInstance instance, @Nullable Call call, Verdict verdict) {
        Outlier probed = call != null ? call.takeOffer() : null;
        switch (verdict) {
            case SERVED -> {
                if (!isEmpty()) {
                    served(Address.of(instance), call);
                }
            }
            case ERRED, UNREACHABLE -> failed(instance, probed, verdict);
            case NONE -> {
                // The instance is neither better nor worse for it.
            }
        }
    }

    private void served(Address address, @Nullable Call call) {
        if (!outliers.containsKey(address)) {
            return;
        }
        synchronized (this) {
            Outlier outlier = outliers.get(address);
            if (outlier == null) {
                return;
            }
            if (!outlier.isSetAside()) {
                outliers.remove(address);
            } else if (call == null || call.epoch() - outlier.epoch() >= 0) {
                // Calls begun before are no proof: a server that is stopping serves them while it takes no others.
                readmit(outlier, "it serves again");
            }
        }
    }

    private synchronized void failed(ServiceInstance instance, @Nullable Outlier probed, Verdict verdict) {
        Address address = Address.of(instance);
        Outlier outlier =
                outliers.computeIfAbsent(address, key -> new Outlier(key, incarnation(instance), policy, nanoClock));
        if (outlier == probed) {
            outlier.probeFailed(verdict);
            changed();
        } else if (outlier.failed(verdict, epoch + 1)) {
            changed();
            if (verdict == Verdict.UNREACHABLE || aside().stream().anyMatch(aside -> aside.outlier() == outlier)) {
                log.setAside(address, verdict);
            } else {
                log.keptInUse(address);
            }
        } else if (outlier.isNew()) {
            // A late failure may be of an instance that is not listed any more: the next call finds out.
            changed();
        }
    }

    private void readmit(Outlier outlier, String reason) {
        outliers.remove(outlier.address());
        changed();
        if (outlier.isSetAside()) {
            log.readmitted(outlier.address(), reason);
        }
    }

    private void changed() {
        epoch++;
        planNext();
    }

    private void planNext() {
        long now = nanoClock.getAsLong();
        long wait = Long.MAX_VALUE / 2;
        for (Outlier outlier : outliers.values()) {
            if (outlier.isSetAside()) {
                wait = Math.min(wait, outlier.dueAt() - now);
            }
        }
        nextDueAt = now + wait;
    }

    /** Takes over a list: forgets who is not in it, and who has been started anew since it failed. */
    synchronized Selection select(List<ServiceInstance> list, boolean complete) {
        long now = nanoClock.getAsLong();
        Map<Address, ServiceInstance> listed =
                list.stream().collect(Collectors.toMap(Address::of, instance -> instance, (one, other) -> other));
        for (Outlier outlier : Set.copyOf(outliers.values())) {
            ServiceInstance instance = listed.get(outlier.address());
            if (instance == null) {
                if (complete || outlier.isLongUnlisted(now)) {
                    readmit(outlier, "it is not listed any more");
                }
                continue;
            }
            outlier.listed(now);
            if (!Objects.equals(incarnation(instance), outlier.incarnation())) {
                readmit(outlier, "it was started anew");
            }
        }
        Selection selected = Selection.of(list, epoch, outliers);
        selection = selected;
        return selected;
    }

    private static @Nullable String incarnation(ServiceInstance instance) {
        Map<String, String> metadata = instance.getMetadata();
        return metadata != null ? metadata.get(START_TIME) : null;
    }

    @Override
    public String toString() {
        return outliers.values().toString();
    }
}
