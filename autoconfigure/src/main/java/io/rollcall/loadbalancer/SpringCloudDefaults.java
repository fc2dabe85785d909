package io.rollcall.loadbalancer;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Other defaults for two settings of Spring Cloud that would work against Rollcall. Whatever the application sets itself goes
 * before them.
 */
final class SpringCloudDefaults implements EnvironmentPostProcessor {

    private static final Map<String, Object> DEFAULTS = Map.of(
            // On by default as soon as spring-retry happens to be on the class path; would repeat calls a second time.
            "spring.cloud.loadbalancer.retry.enabled", false,
            // Would drop every instance that another registry found.
            "spring.cloud.zookeeper.loadbalancer.enabled", false);

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (environment.getProperty("rollcall.enabled", Boolean.class, true)) {
            environment.getPropertySources().addLast(new MapPropertySource("rollcallSpringCloudDefaults", DEFAULTS));
        }
    }
}
