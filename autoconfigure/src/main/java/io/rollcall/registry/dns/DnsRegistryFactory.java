package io.rollcall.registry.dns;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import java.util.List;
import java.util.Set;

/** Makes registries from {@code dns:} URLs. Refers to no class of the library, which may be missing. */
final class DnsRegistryFactory implements RegistryFactory {

    static final String TYPE = "dns";

    @Override
    public Set<String> schemes() {
        return Set.of(TYPE);
    }

    @Override
    public List<String> requiredClasses() {
        return List.of("org.xbill.DNS.SimpleResolver");
    }

    @Override
    public List<String> coordinates() {
        return List.of("dnsjava:dnsjava");
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        return DnsRegistry.create(definition, DnsSettings.of(definition));
    }
}
