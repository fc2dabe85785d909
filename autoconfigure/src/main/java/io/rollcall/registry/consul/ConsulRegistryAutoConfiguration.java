package io.rollcall.registry.consul;

import io.rollcall.registry.RegistryFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Adds the {@code consul:} and {@code consuls:} registries. */
@AutoConfiguration
public final class ConsulRegistryAutoConfiguration {

    @Bean
    RegistryFactory consulRegistryFactory(BeanFactory beanFactory, Environment environment) {
        return new ConsulRegistryFactory(beanFactory, environment);
    }
}
