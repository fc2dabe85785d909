package io.rollcall.registry.eureka;

import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Tells a server that has lost its data from one whose instances have left. Eureka has no mark of that, but it reports removals for some
 * minutes: an instance that is missing though its removal is not reported was lost with the data, or is not yet known to the
 * server that we have changed to. Used by one thread at a time.
 */
final class Continuity {

    private final EurekaServer server;

    private final Map<String, Set<String>> known = new HashMap<>();

    private long incarnation;

    Continuity(EurekaServer server) {
        this.server = server;
    }

    /** A new one after each loss. */
    String incarnation() {
        return Long.toString(incarnation);
    }

    /**
     * Compares an answer with the last one.
     *
     * @param service the service
     * @param registered ids of its instances, in whatever state
     * @return ids of those that are known to have been removed since
     */
    Set<String> accept(String service, Set<String> registered) throws IOException, RefusedException {
        Set<String> missing = new HashSet<>(known.getOrDefault(service, Set.of()));
        missing.removeAll(registered);
        Set<String> removed = missing.isEmpty() ? Set.of() : removed(service, missing);
        if (!removed.containsAll(missing)) {
            incarnation++;
        }
        if (registered.isEmpty()) {
            known.remove(service);
        } else {
            known.put(service, Set.copyOf(registered));
        }
        return removed;
    }

    private Set<String> removed(String service, Set<String> missing) throws IOException, RefusedException {
        List<Application> changes = server.changes();
        if (changes == null) {
            // A server that reports no removals is believed.
            return missing;
        }
        String name = EurekaServer.application(service);
        Set<String> removed = new HashSet<>();
        for (Application application : changes) {
            if (application.name().equals(name)) {
                application.instances().stream()
                        .filter(change -> "DELETED".equals(Json.text(change, "actionType")))
                        .forEach(change -> removed.add(String.valueOf(Json.text(change, "instanceId"))));
            }
        }
        removed.retainAll(missing);
        return removed;
    }
}
