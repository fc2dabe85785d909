package io.rollcall.registry;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * Makes the registries of one kind from their configuration. A bean of this type adds a kind of registry, known by the schemes of
 * its URLs.
 */
public interface RegistryFactory {

    /** The URL schemes that it understands, in lower case. */
    Set<String> schemes();

    /**
     * Class names that must be there for {@link #create} to work. Until they are, no other method than {@link #schemes} and
     * {@link #coordinates} is called, and the start fails with the advice to add the coordinates.
     */
    default List<String> requiredClasses() {
        return List.of();
    }

    /** The Maven coordinates {@code group:artifact} that bring the required classes. */
    default List<String> coordinates() {
        return List.of();
    }

    /** Whether registries of this kind check their instances themselves, so that {@code health-check} can be set for them. */
    default boolean checksHealth() {
        return false;
    }

    /**
     * The time between two renewals where none is set.
     *
     * @param healthCheck how the registry is to check the instance
     * @return zero if nothing needs to be renewed then
     */
    default Duration defaultInterval(HealthCheck healthCheck) {
        return Registry.Timing.DEFAULT.interval();
    }

    /**
     * Makes a registry. Does not connect: the first call of a role does.
     *
     * @param definition what was configured
     * @return the registry
     * @throws io.rollcall.InvalidConfigurationException if something of the definition can not be
     */
    Registry create(RegistryDefinition definition);
}
