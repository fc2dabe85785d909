package io.rollcall.registry.redis;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;

/**
 * Makes registries of {@code redis}, {@code rediss} and {@code redis-sentinel} URLs. Names no class of Spring Data Redis or Lettuce,
 * so that it loads without them.
 */
final class RedisRegistryFactory implements RegistryFactory {

    private final BeanFactory beanFactory;

    RedisRegistryFactory(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("redis", "rediss", "redis-sentinel");
    }

    @Override
    public List<String> requiredClasses() {
        return List.of(
                "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                "io.lettuce.core.RedisClient");
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.springframework.data:spring-data-redis", "io.lettuce:lettuce-core");
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        return new RedisRegistryBuilder(definition, beanFactory).build();
    }
}
