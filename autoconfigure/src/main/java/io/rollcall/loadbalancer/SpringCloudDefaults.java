package io.rollcall.loadbalancer;

import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Another default for a setting of Spring Cloud that would work against Rollcall: its own retry is on as soon as spring-retry
 * happens to be on the class path, and would repeat calls a second time. Whatever the application sets itself wins.
 */
final class SpringCloudDefaults implements EnvironmentPostProcessor {

    private static final String RETRY = "spring.cloud.loadbalancer.retry.enabled";

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        // Spring Boot moves the application's default properties to the very end later, behind what is added here.
        if (environment.getProperty("rollcall.enabled", Boolean.class, true) && !environment.containsProperty(RETRY)) {
            environment
                    .getPropertySources()
                    .addLast(new MapPropertySource("rollcallSpringCloudDefaults", Map.of(RETRY, false)));
        }
    }
}
