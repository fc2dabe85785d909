package io.rollcall.discovery;

import io.rollcall.registry.Registries;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the registries listed before this application was started. Immutable.
 *
 * @param lists from registries that are configured now
 */
record LastKnown(List<KnownList> lists) {

    static final LastKnown NOTHING = new LastKnown(List.of());

    /** Copies what it is given. */
    LastKnown {
        lists = List.copyOf(lists);
    }

    /** Leaves out what comes from a registry that is elsewhere now: it may tell of another environment. */
    static LastKnown of(Collection<KnownList> lists, Registries registries) {
        return new LastKnown(lists.stream()
                .filter(list -> registries
                        .named(list.registry())
                        .filter(registry -> registry.url().equals(list.url()))
                        .isPresent())
                .toList());
    }

    /** The service's views, by registry; only of registries that listed an instance. */
    Map<String, RegistryView> views(String service) {
        Map<String, RegistryView> views = new HashMap<>();
        for (KnownList list : lists) {
            if (list.service().equals(service) && !list.instances().isEmpty()) {
                views.put(list.registry(), RegistryView.known(list.registry(), list.asOf(), list.instances()));
            }
        }
        return views;
    }

    /** Names of the services that the registry listed. */
    Set<String> services(String registry) {
        return lists.stream()
                .filter(list ->
                        list.registry().equals(registry) && !list.instances().isEmpty())
                .map(KnownList::service)
                .collect(Collectors.toSet());
    }
}
