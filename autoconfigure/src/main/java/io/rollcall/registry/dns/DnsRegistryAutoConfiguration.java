package io.rollcall.registry.dns;

import io.rollcall.registry.RegistryFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Adds the {@code dns:} registries, whether or not their library is there: the factory tells what is missing. */
@AutoConfiguration
public final class DnsRegistryAutoConfiguration {

    @Bean
    RegistryFactory dnsRegistryFactory() {
        return new DnsRegistryFactory();
    }
}
