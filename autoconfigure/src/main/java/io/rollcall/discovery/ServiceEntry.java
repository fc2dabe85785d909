package io.rollcall.discovery;

import io.rollcall.RollcallProperties.Discovery.Policy;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** One service in the cache. Read by any thread without a lock; written by the registries' threads. */
final class ServiceEntry {

    private final String service;

    private final Policy policy;

    private final Map<String, RegistryView> views = new LinkedHashMap<>();

    private final Departures departures = new Departures();

    private final CompletableFuture<Void> answered = new CompletableFuture<>();

    private volatile MergedService merged = MergedService.EMPTY;

    private final long created = System.nanoTime();

    private volatile boolean used = true;

    ServiceEntry(String service, Collection<String> registries, Policy policy) {
        this.service = service;
        this.policy = policy;
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

    /**
     * Takes over what one registry says now.
     *
     * @return whether callers see another list than before
     */
    boolean update(RegistryView view) {
        boolean changed;
        boolean complete;
        synchronized (this) {
            RegistryView previous = views.put(view.registry(), view);
            departures.note(previous != null ? previous : view, view, views.values());
            MergedService before = merged;
            MergedService after = MergedService.of(
                    views.values().stream().map(departures::without).toList(), policy);
            changed = before.contentHash() != after.contentHash();
            if (changed || !before.isListedAs(after)) {
                // Otherwise the list stays the same object, so that what callers have derived from it stays valid.
                merged = after;
            }
            complete = views.values().stream().noneMatch(each -> each.state() == RegistryView.State.PENDING);
        }
        if (complete) {
            answered.complete(null);
        }
        return changed;
    }
}
