package io.rollcall.registry.nacos;

import io.rollcall.registry.LogDefaults;
import java.util.Set;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;

/** Keeps Nacos's client from logging every attempt to reconnect, which it does at level ERROR. */
final class NacosLogDefaults implements EnvironmentPostProcessor {

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        LogDefaults.nothing(
                environment,
                Set.of("nacos"),
                "com.alibaba.nacos.common.remote.client",
                "com.alibaba.nacos.shaded.io.grpc");
        LogDefaults.errorsOnly(environment, Set.of("nacos"), "com.alibaba.nacos");
    }
}
