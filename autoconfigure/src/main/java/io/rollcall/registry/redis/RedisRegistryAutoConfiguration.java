package io.rollcall.registry.redis;

import io.rollcall.registry.RegistryFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Adds the {@code redis:}, {@code rediss:} and {@code redis-sentinel:} registries. */
@AutoConfiguration
@ImportRuntimeHints(RedisRuntimeHints.class)
public final class RedisRegistryAutoConfiguration {

    @Bean
    RegistryFactory redisRegistryFactory(BeanFactory beanFactory) {
        return new RedisRegistryFactory(beanFactory);
    }
}
