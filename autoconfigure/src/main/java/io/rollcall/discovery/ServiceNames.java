package io.rollcall.discovery;

import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

/** The names of all services, registry by registry. Thread-safe. */
final class ServiceNames {

    private final Map<String, Set<String>> byRegistry = new LinkedHashMap<>();

    private final Set<String> doubted = new HashSet<>();

    private final CompletableFuture<Void> answered = new CompletableFuture<>();

    private final int registries;

    private boolean anyAnswered;

    private volatile List<String> all = List.of();

    /**
     * @param registries how many registries there are
     */
    ServiceNames(int registries) {
        this.registries = registries;
        if (registries == 0) {
            answered.complete(null);
        }
    }

    /** All names, sorted. */
    List<String> all() {
        return all;
    }

    /** Completed when every registry has answered, or failed, once. */
    CompletableFuture<Void> answered() {
        return answered;
    }

    /**
     * Takes over what one registry names. An empty answer after another one is believed when it is repeated, since it may be
     * that of a registry that is just restarting.
     *
     * @return whether the names are others than before
     */
    boolean update(String registry, Set<String> names) {
        boolean changed;
        synchronized (this) {
            anyAnswered = true;
            boolean doubtful = names.isEmpty()
                    && !byRegistry.getOrDefault(registry, Set.of()).isEmpty()
                    && doubted.add(registry);
            if (!doubtful) {
                doubted.remove(registry);
                byRegistry.put(registry, Set.copyOf(names));
            }
            changed = unite();
        }
        completeIfAllAnswered();
        return changed;
    }

    /**
     * Notes that a registry does not answer; the names that it has given stay.
     *
     * @param known those that it gave in an earlier run, which are used if no registry has given any since
     * @return whether the names are others than before
     */
    boolean failed(String registry, Set<String> known) {
        boolean changed;
        synchronized (this) {
            byRegistry.putIfAbsent(registry, anyAnswered ? Set.of() : known);
            changed = unite();
        }
        completeIfAllAnswered();
        return changed;
    }

    private boolean unite() {
        TreeSet<String> union = new TreeSet<>();
        byRegistry.values().forEach(union::addAll);
        boolean changed = !all.equals(List.copyOf(union));
        all = List.copyOf(union);
        return changed;
    }

    private void completeIfAllAnswered() {
        boolean complete;
        synchronized (this) {
            complete = byRegistry.size() == registries;
        }
        if (complete) {
            answered.complete(null);
        }
    }
}
