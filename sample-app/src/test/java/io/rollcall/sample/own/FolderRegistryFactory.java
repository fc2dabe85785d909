package io.rollcall.sample.own;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import java.nio.file.Path;
import java.util.Set;

/** Makes registries of {@code folder:/path} URLs, so that a folder is configured as any other registry is. */
final class FolderRegistryFactory implements RegistryFactory {

    @Override
    public Set<String> schemes() {
        return Set.of("folder");
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        if (definition.url().path().isEmpty()) {
            throw definition.invalidUrl(
                    "it names no folder", "Write 'folder:' and a path relative to the working directory.");
        }
        FolderRegistry registry = new FolderRegistry(Path.of(definition.url().path()));
        return definition.toRegistry("folder", registry, registry, Registry.Client.NONE);
    }
}
