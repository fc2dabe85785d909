package io.rollcall.discovery;

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * Services that wait to be read, each at most once. Those that somebody has begun to ask for, or that have changed, take turns with those
 * that are only read again to be sure, of which there may be very many. Not thread-safe.
 */
final class Line {

    private final Set<String> urgent = new LinkedHashSet<>();

    private final Set<String> others = new LinkedHashSet<>();

    private boolean tookUrgent;

    boolean isEmpty() {
        return urgent.isEmpty() && others.isEmpty();
    }

    /** Somebody is waiting for the service's list. */
    void add(String service) {
        others.remove(service);
        urgent.add(service);
    }

    /** They are to be read some time. */
    void addAll(Collection<String> services) {
        others.addAll(services);
        others.removeAll(urgent);
    }

    void remove(String service) {
        urgent.remove(service);
        others.remove(service);
    }

    void clear() {
        urgent.clear();
        others.clear();
    }

    /** Whose turn it is; not to be asked if nobody is there. */
    String take() {
        tookUrgent = !urgent.isEmpty() && (others.isEmpty() || !tookUrgent);
        Set<String> from = tookUrgent ? urgent : others;
        String service = from.iterator().next();
        from.remove(service);
        return service;
    }
}
