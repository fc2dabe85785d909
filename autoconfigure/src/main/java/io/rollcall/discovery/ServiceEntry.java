package io.rollcall.discovery;

import io.rollcall.RollcallProperties.Discovery.Policy;
import io.rollcall.discovery.RegistryView.State;
import io.rollcall.registry.Instance;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;

/** One service in the cache. Read by any thread without a lock; written by the registries' threads. */
final class ServiceEntry {

    private final String service;

    private final Policy policy;

    private final Map<String, RegistryView> views = new LinkedHashMap<>();

    /** What is known from an earlier run; empty once it is in use, or a registry has answered. Guarded by this. */
    private Map<String, RegistryView> known;

    private final Departures departures = new Departures();

    private final CompletableFuture<Void> answered = new CompletableFuture<>();

    private volatile MergedService merged = MergedService.EMPTY;

    private final long created = System.nanoTime();

    private volatile boolean used = true;

    /**
     * @param known what the registries listed in an earlier run, by registry
     */
    ServiceEntry(String service, Collection<String> registries, Policy policy, Map<String, RegistryView> known) {
        this.service = service;
        this.policy = policy;
        this.known = Map.copyOf(known);
        registries.forEach(registry -> views.put(registry, RegistryView.pending(registry)));
        if (views.isEmpty()) {
            answered.complete(null);
        }
    }

    String service() {
        return service;
    }

    MergedService merged() {
        return merged;
    }

    /** Completed when every registry has answered, or failed, once. */
    CompletableFuture<Void> answered() {
        return answered;
    }

    /** What is left of that time since the service was first asked for; not negative. */
    Duration patienceLeft(Duration patience) {
        return Duration.ofNanos(Math.max(0, created + patience.toNanos() - System.nanoTime()));
    }

    boolean isKnownToBeEmpty() {
        return answered.isDone() && merged.instances().isEmpty();
    }

    /** Notes that somebody asks for the service. */
    void use() {
        if (!used) {
            used = true;
        }
    }

    /** Whether somebody has asked since this was last called. */
    boolean takeUsed() {
        boolean was = used;
        used = false;
        return was;
    }

    synchronized RegistryView view(String registry) {
        return views.getOrDefault(registry, RegistryView.pending(registry));
    }

    synchronized List<RegistryView> views() {
        return List.copyOf(views.values());
    }

    /** Whether part of the list was known before the start, and not confirmed since. */
    synchronized boolean isFromEarlierRun() {
        return views.values().stream().anyMatch(view -> view.state() == State.SNAPSHOT);
    }

    /**
     * Takes over what one registry says now.
     *
     * @return whether callers see another list than before
     */
    boolean update(RegistryView view) {
        boolean changed;
        boolean complete;
        synchronized (this) {
            RegistryView previous = views.getOrDefault(view.registry(), view);
            views.put(view.registry(), view);
            departures.note(previous, view, views.values());
            complete = views.values().stream().noneMatch(each -> each.state() == State.PENDING);
            if (view.state() == State.LIVE) {
                distrustKnown(previous);
            } else if (complete) {
                adoptKnown();
            }
            changed = merge();
        }
        if (complete) {
            answered.complete(null);
        }
        return changed;
    }

    /** A registry answers: it alone decides about what it listed in an earlier run, and nothing else of that run is brought in. */
    private void distrustKnown(RegistryView previous) {
        known = Map.of();
        if (previous.state() == State.SNAPSHOT) {
            Set<String> decided =
                    previous.instances().stream().map(Instance::address).collect(Collectors.toSet());
            views.replaceAll((registry, each) -> each.state() == State.SNAPSHOT ? each.without(decided) : each);
        }
    }

    private boolean adoptKnown() {
        boolean adopted = !known.isEmpty();
        known.forEach((registry, view) -> views.replace(registry, view));
        known = Map.of();
        return adopted;
    }

    /**
     * Nobody waits for the registries any longer: if none has answered, what they listed in an earlier run is used from now on.
     *
     * @return whether callers see another list than before
     */
    boolean useKnown() {
        boolean changed;
        synchronized (this) {
            if (!adoptKnown()) {
                return false;
            }
            changed = merge();
        }
        answered.complete(null);
        return changed;
    }

    private boolean merge() {
        MergedService before = merged;
        MergedService after = MergedService.of(
                views.values().stream().map(departures::without).toList(), policy);
        boolean changed = before.contentHash() != after.contentHash();
        if (changed || !before.isListedAs(after)) {
            // Otherwise the list stays the same object, so that what callers have derived from it stays valid.
            merged = after;
        }
        return changed;
    }
}
