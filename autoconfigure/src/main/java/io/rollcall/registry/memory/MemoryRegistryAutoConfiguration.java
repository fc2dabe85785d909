package io.rollcall.registry.memory;

import io.rollcall.registry.RegistryFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Adds the {@code memory:} registries. */
@AutoConfiguration
public final class MemoryRegistryAutoConfiguration {

    @Bean
    RegistryFactory memoryRegistryFactory() {
        return new MemoryRegistryFactory();
    }
}
