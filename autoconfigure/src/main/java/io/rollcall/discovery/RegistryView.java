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

        /** The registry answered when it was last asked. */
        LIVE,

        /** The registry does not answer; its last good list stays in use. */
        STALE
    }

    static RegistryView pending(String registry) {
        return new RegistryView(registry, State.PENDING, null, List.of(), Set.of());
    }

    RegistryView answered(List<Instance> newInstances, Set<String> newUnconfirmed, Instant now) {
        return new RegistryView(registry, State.LIVE, now, newInstances, newUnconfirmed);
    }

    /** The registry failed: what it said before is all there is. */
    RegistryView failed() {
        return new RegistryView(registry, State.STALE, asOf, instances, unconfirmed);
    }

    /** Whether the registry says so now, and not only did so before. */
    boolean confirms(Instance instance) {
        return state == State.LIVE && !unconfirmed.contains(instance.address());
    }
}
