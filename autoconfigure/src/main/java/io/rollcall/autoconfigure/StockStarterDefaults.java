package io.rollcall.autoconfigure;

import java.util.HashMap;
import java.util.Map;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;

/**
 * Other defaults for settings of Spring Cloud that would work against Rollcall. Whatever the application sets itself wins.
 */
final class StockStarterDefaults implements EnvironmentPostProcessor {

    private static final Map<String, Object> DEFAULTS = Map.of(
            // On by default as soon as spring-retry happens to be on the class path; would repeat calls a second time.
            "spring.cloud.loadbalancer.retry.enabled", false,
            // Is not used with the live list, but warned of at every start.
            "spring.cloud.loadbalancer.cache.enabled", false,
            // A registry that is down is no reason not to start: that holds for a stock starter beside us too.
            "spring.cloud.consul.discovery.fail-fast", false);

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        if (environment.getProperty("rollcall.enabled", Boolean.class, true)) {
            // Spring Boot moves the application's default properties to the very end later, behind what is added here.
            Map<String, Object> missing = new HashMap<>(DEFAULTS);
            missing.keySet().removeIf(environment::containsProperty);
            environment.getPropertySources().addLast(new MapPropertySource("rollcallStockStarterDefaults", missing));
        }
    }
}
