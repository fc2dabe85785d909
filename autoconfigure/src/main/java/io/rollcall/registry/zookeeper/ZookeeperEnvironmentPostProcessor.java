package io.rollcall.registry.zookeeper;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.core.Ordered;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;

/**
 * Keeps spring-cloud-zookeeper quiet while it is merely on the class path: alone it would wait for a server at localhost:2181,
 * register the application a second time and drop all instances that it did not find itself from the load balancer. Its
 * properties get other defaults; whatever the application sets wins.
 */
final class ZookeeperEnvironmentPostProcessor implements EnvironmentPostProcessor, Ordered {

    private static final String STOCK = "spring.cloud.zookeeper.";

    private static final String OWN_CONNECTION = "zookeeper:";

    private static final String STOCK_CLASS = "org.springframework.cloud.zookeeper.ZookeeperProperties";

    @Override
    public int getOrder() {
        return Ordered.LOWEST_PRECEDENCE;
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        Binder binder = Binder.get(environment);
        if (!binder.bind("rollcall.enabled", Boolean.class).orElse(true)) {
            return;
        }
        Map<String, Object> defaults = new HashMap<>();
        ClassLoader classLoader = application.getClassLoader();
        if (ClassUtils.isPresent(STOCK_CLASS, classLoader)) {
            quieten(binder, defaults);
        }
        defaults.keySet().removeIf(name -> isSet(binder, name));
        DefaultPropertiesPropertySource.addOrMerge(defaults, environment.getPropertySources());
    }

    private static void quieten(Binder binder, Map<String, Object> defaults) {
        defaults.put(STOCK + "discovery.register", false);
        defaults.put(STOCK + "loadbalancer.enabled", false);
        if (!isSet(binder, STOCK + "connect-string")) {
            defaults.put(STOCK + "enabled", false);
        } else if (sharesConnection(binder)) {
            // The connection was asked for, but Rollcall is what discovers over it.
            defaults.put(STOCK + "discovery.enabled", false);
        }
    }

    private static boolean isSet(Binder binder, String name) {
        return binder.bind(name, String.class).isBound();
    }

    private static boolean sharesConnection(Binder binder) {
        return binder
                .bind("rollcall.registries", Bindable.mapOf(String.class, Registration.class))
                .orElse(Map.of())
                .values()
                .stream()
                .anyMatch(registration ->
                        registration.url() != null && registration.url().strip().equalsIgnoreCase(OWN_CONNECTION));
    }

    /** The one property of a registry that matters here. Not private: the binder leaves private constructors alone. */
    record Registration(@Nullable String url) {}
}
