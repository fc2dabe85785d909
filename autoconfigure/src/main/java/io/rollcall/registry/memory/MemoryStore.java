package io.rollcall.registry.memory;

import io.rollcall.registry.Instance;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** The entries of one memory registry, shared by all applications in this JVM that name it. */
final class MemoryStore {

    /** Sharing between the applications of one JVM is what this registry is for, hence the one static map of the project. */
    private static final Map<String, MemoryStore> STORES = new ConcurrentHashMap<>();

    private volatile String incarnation = UUID.randomUUID().toString();

    private final Map<String, Map<String, Entry>> services = new LinkedHashMap<>();

    private final Map<String, List<Runnable>> listeners = new ConcurrentHashMap<>();

    private record Entry(Object owner, Instance instance) {}

    static MemoryStore named(String name) {
        return STORES.computeIfAbsent(name, key -> new MemoryStore());
    }

    String incarnation() {
        return incarnation;
    }

    /** Loses everything, as a registry does that is restarted without its data. */
    void wipe() {
        synchronized (services) {
            services.clear();
            incarnation = UUID.randomUUID().toString();
        }
    }

    void put(Object owner, Instance instance) {
        Entry entry = new Entry(owner, instance);
        Entry previous;
        synchronized (services) {
            previous = services.computeIfAbsent(instance.service(), key -> new LinkedHashMap<>())
                    .put(instance.id(), entry);
        }
        if (previous == null || !previous.instance().equals(instance)) {
            changed(instance.service());
        }
    }

    void remove(Object owner, Instance instance) {
        boolean removed;
        synchronized (services) {
            Map<String, Entry> entries = services.getOrDefault(instance.service(), Map.of());
            Entry entry = entries.get(instance.id());
            removed = entry != null && entry.owner() == owner;
            if (removed) {
                entries.remove(instance.id());
            }
        }
        if (removed) {
            changed(instance.service());
        }
    }

    void removeAll(Object owner) {
        List<Instance> owned;
        synchronized (services) {
            owned = services.values().stream()
                    .flatMap(entries -> entries.values().stream())
                    .filter(entry -> entry.owner() == owner)
                    .map(Entry::instance)
                    .toList();
        }
        owned.forEach(instance -> remove(owner, instance));
    }

    List<Instance> instances(String service) {
        synchronized (services) {
            return services.getOrDefault(service, Map.of()).values().stream()
                    .map(Entry::instance)
                    .toList();
        }
    }

    Set<String> services() {
        synchronized (services) {
            Set<String> names = new TreeSet<>();
            services.forEach((name, entries) -> {
                if (!entries.isEmpty()) {
                    names.add(name);
                }
            });
            return names;
        }
    }

    Runnable listen(String service, Runnable listener) {
        listeners.compute(service, (key, before) -> {
            List<Runnable> listening = before == null ? new CopyOnWriteArrayList<>() : before;
            listening.add(listener);
            return listening;
        });
        return () -> listeners.computeIfPresent(service, (key, listening) -> {
            listening.remove(listener);
            return listening.isEmpty() ? null : listening;
        });
    }

    private void changed(String service) {
        listeners.getOrDefault(service, List.of()).forEach(Runnable::run);
    }
}
