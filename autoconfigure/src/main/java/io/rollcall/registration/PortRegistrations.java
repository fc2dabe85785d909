package io.rollcall.registration;

import java.util.List;
import java.util.Set;

/**
 * The registrations of all ports. Immutable.
 *
 * @param primary what other beans see as the application's registration: that of its own port, even if it stays unregistered
 * @param all those to register
 */
public record PortRegistrations(RollcallRegistration primary, List<RollcallRegistration> all) {

    /** Copies what it is given. */
    public PortRegistrations {
        all = List.copyOf(all);
    }

    static PortRegistrations of(List<PortDefinition> definitions, String applicationName) {
        List<RollcallRegistration> all =
                definitions.stream().map(RollcallRegistration::new).toList();
        RollcallRegistration primary = all.isEmpty()
                ? new RollcallRegistration(
                        new PortDefinition(PortDefinition.HTTP, applicationName, null, null, Set.of()))
                : all.get(0);
        return new PortRegistrations(primary, all);
    }
}
