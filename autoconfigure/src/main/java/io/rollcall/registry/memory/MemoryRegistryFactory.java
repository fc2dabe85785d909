package io.rollcall.registry.memory;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import java.util.Set;

/** Makes registries of {@code memory:} and {@code memory:<name>} URLs. */
final class MemoryRegistryFactory implements RegistryFactory {

    @Override
    public Set<String> schemes() {
        return Set.of("memory");
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        if (!definition.url().endpoints().isEmpty()) {
            throw definition.invalidUrl("a memory registry has no host", "Write 'memory:', or 'memory:' and a name.");
        }
        MemoryRegistry registry =
                new MemoryRegistry(MemoryStore.named(definition.url().path()));
        return definition.toRegistry("memory", registry, registry, registry);
    }
}
