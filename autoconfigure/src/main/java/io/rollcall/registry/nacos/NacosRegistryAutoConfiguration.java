package io.rollcall.registry.nacos;

import io.rollcall.registry.RegistryFactory;
import java.time.Clock;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Adds the {@code nacos:} registries, whether or not their client library is there: the factory tells what is missing. */
@AutoConfiguration
public final class NacosRegistryAutoConfiguration {

    @Bean
    RegistryFactory nacosRegistryFactory(BeanFactory beanFactory, ObjectProvider<Clock> clock) {
        return new NacosRegistryFactory(beanFactory, clock.getIfUnique(Clock::systemUTC));
    }
}
