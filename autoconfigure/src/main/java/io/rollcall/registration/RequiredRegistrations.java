package io.rollcall.registration;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.RollcallProperties;
import io.rollcall.registry.Registries;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Which registrations the application insists on. Immutable.
 *
 * @param any whether one of them is enough
 * @param names of the registries; empty if it insists on none
 */
public record RequiredRegistrations(boolean any, Set<String> names) {

    static RequiredRegistrations of(RollcallProperties.Registration properties, Registries registries) {
        List<String> required = properties.getRequired();
        Set<String> all = registries.stream()
                .filter(registry -> registry.registrar() != null)
                .map(registry -> registry.name())
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (required.isEmpty() || required.equals(List.of("none"))) {
            return new RequiredRegistrations(false, properties.isFailFast() ? all : Set.of());
        }
        if (required.equals(List.of("all")) || required.equals(List.of("any"))) {
            return new RequiredRegistrations(required.contains("any"), all);
        }
        for (String name : required) {
            if (!all.contains(name)) {
                throw new InvalidConfigurationException(
                        "rollcall.registration.required",
                        String.join(",", required),
                        "'" + name + "' is not a registry to register in",
                        "Use 'any', 'all', or names of registries: " + String.join(", ", all) + ".");
            }
        }
        return new RequiredRegistrations(false, new LinkedHashSet<>(required));
    }

    /**
     * Whether those of one port are there. A port that is meant for none of the registries lacks nothing.
     *
     * @param registration the port
     * @param statuses the port's, by the registries' names
     */
    public boolean satisfiedBy(RollcallRegistration registration, Map<String, RegistrationStatus> statuses) {
        List<String> meant =
                names.stream().filter(registration.registries()::contains).toList();
        return meant.isEmpty()
                || (any
                        ? meant.stream().anyMatch(name -> isRegistered(statuses, name))
                        : meant.stream().allMatch(name -> isRegistered(statuses, name)));
    }

    private static boolean isRegistered(Map<String, RegistrationStatus> statuses, String name) {
        RegistrationStatus status = statuses.get(name);
        return status != null && status.state() == RegistrationState.REGISTERED;
    }
}
