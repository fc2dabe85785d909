package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What one registry is believed to list for one service. Immutable.
 *
 * @param registry the registry's name
 * @param state how far it can be believed
 * @param asOf when the registry last answered, or null if never
 * @param instances the live instances
 * @param unconfirmed addresses of those that its last answer did not list, but that are kept for a while
 */
public record RegistryView(
        String registry, State state, @Nullable Instant asOf, List<Instance> instances, Set<String> unconfirmed) {

    /** How far a view can be believed. */
    public enum State {

        /** The registry has not answered yet. */
        PENDING,

        /** The registry has not answered since the start: the list on disk, of an earlier run, is in use. */
        SNAPSHOT,

        /** The registry answered when it was last asked. */
        LIVE,

        /** The registry does not answer; its last good list stays in use. */
        STALE
    }

    static RegistryView pending(String registry) {
        return new RegistryView(registry, State.PENDING, null, List.of(), Set.of());
    }

    /** What the registry said before this application was started. */
    static RegistryView known(String registry, Instant asOf, List<Instance> instances) {
        return new RegistryView(registry, State.SNAPSHOT, asOf, List.copyOf(instances), Set.of());
    }

    RegistryView answered(List<Instance> newInstances, Set<String> newUnconfirmed, Instant now) {
        return new RegistryView(registry, State.LIVE, now, newInstances, newUnconfirmed);
    }

    /** The registry failed: what it said before is all there is. */
    RegistryView failed() {
        if (state == State.SNAPSHOT) {
            return this;
        }
        return new RegistryView(registry, State.STALE, asOf, instances, unconfirmed);
    }

    /** The view without the instances at some addresses. */
    RegistryView without(Set<String> addresses) {
        return new RegistryView(
                registry,
                state,
                asOf,
                instances.stream()
                        .filter(instance -> !addresses.contains(instance.address()))
                        .toList(),
                unconfirmed);
    }

    /** Whether the registry says so now, and not only did so before. */
    boolean confirms(Instance instance) {
        return state == State.LIVE && !unconfirmed.contains(instance.address());
    }
}
