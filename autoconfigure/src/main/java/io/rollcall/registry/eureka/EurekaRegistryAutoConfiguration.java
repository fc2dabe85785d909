package io.rollcall.registry.eureka;

import io.rollcall.registry.RegistryFactory;
import java.time.Clock;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Adds the {@code eureka:} registries, whether or not an HTTP client is there: the factory tells what is missing. */
@AutoConfiguration
public final class EurekaRegistryAutoConfiguration {

    @Bean
    RegistryFactory eurekaRegistryFactory(BeanFactory beanFactory, ObjectProvider<Clock> clock) {
        return new EurekaRegistryFactory(beanFactory, clock.getIfUnique(Clock::systemUTC));
    }
}
