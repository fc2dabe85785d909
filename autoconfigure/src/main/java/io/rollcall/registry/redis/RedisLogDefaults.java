package io.rollcall.registry.redis;

import io.rollcall.registry.LogDefaults;
import java.util.Set;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;

/** Keeps Lettuce from logging every attempt to reconnect. */
final class RedisLogDefaults implements EnvironmentPostProcessor {

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        LogDefaults.errorsOnly(
                environment,
                Set.of("redis", "rediss", "redis-sentinel"),
                "io.lettuce.core.protocol.ConnectionWatchdog",
                "io.lettuce.core.protocol.ReconnectionHandler");
    }
}
