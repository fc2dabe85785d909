package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Remembers instances that one registry has seen go. Another registry that does not answer at that time still has them in its last list;
 * they are not to be used for that. Not thread-safe.
 */
final class Departures {

    private final Set<String> addresses = new HashSet<>();

    /**
     * Takes note of a registry's new view.
     *
     * @param before its last view
     * @param after its view now
     * @param views those of all registries, this one included
     */
    void note(RegistryView before, RegistryView after, Collection<RegistryView> views) {
        if (after.state() == RegistryView.State.LIVE) {
            Set<String> gone = addresses(before.instances().stream());
            gone.removeAll(addresses(after.instances().stream()));
            addresses.addAll(gone);
        }
        addresses.retainAll(addresses(views.stream().flatMap(view -> view.instances().stream())));
        addresses.removeAll(addresses(
                views.stream().flatMap(view -> view.instances().stream().filter(view::confirms))));
    }

    private static Set<String> addresses(Stream<Instance> instances) {
        return instances.map(Instance::address).collect(Collectors.toSet());
    }

    /** A view without what is listed by habit only, although it was seen to go. */
    RegistryView without(RegistryView view) {
        return addresses.isEmpty()
                ? view
                : new RegistryView(
                        view.registry(),
                        view.state(),
                        view.asOf(),
                        view.instances().stream()
                                .filter(instance -> view.confirms(instance) || !addresses.contains(instance.address()))
                                .toList(),
                        view.unconfirmed());
    }
}
