package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one registry is believed to list for one service. Immutable.
 *
 * @param registry the registry's name
 * @param state how far it can be believed
 * @param asOf when the registry last answered, or null if never
 * @param instances the live instances
 */
public record RegistryView(
        String registry, State state, @Nullable Instant asOf, List<Instance> instances) {

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
        return new RegistryView(registry, State.PENDING, null, List.of());
    }

    RegistryView answered(List<Instance> newInstances, Instant now) {
        return new RegistryView(registry, State.LIVE, now, newInstances);
    }

    /** The registry failed: what it said before is all there is. */
    RegistryView failed() {
        return new RegistryView(registry, State.STALE, asOf, instances);
    }
}
