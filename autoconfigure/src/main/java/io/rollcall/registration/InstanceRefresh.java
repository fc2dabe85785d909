package io.rollcall.registration;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.RollcallProperties;
import java.util.HashMap;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.env.Environment;

/**
 * Tells the registries what a refresh of the configuration has changed about the instance, and only that: what an operator has
 * set since the start stays, unless the configuration now says something else than it did.
 */
final class InstanceRefresh implements ApplicationListener<EnvironmentChangeEvent> {

    private static final Log logger = LogFactory.getLog(InstanceRefresh.class);

    private final Environment environment;

    private final PortRegistrations registrations;

    private final RollcallServiceRegistry serviceRegistry;

    private final InstanceFactory instances;

    private RollcallProperties.Instance configured;

    InstanceRefresh(
            Environment environment,
            PortRegistrations registrations,
            RollcallServiceRegistry serviceRegistry,
            InstanceFactory instances) {
        this.environment = environment;
        this.registrations = registrations;
        this.serviceRegistry = serviceRegistry;
        this.instances = instances;
        this.configured = read();
    }

    /** Anew: the bean of the properties, into which Spring Cloud writes, keeps what the configuration no longer has. */
    private RollcallProperties.Instance read() {
        return Binder.get(environment).bindOrCreate("rollcall.instance", RollcallProperties.Instance.class);
    }

    /** Any property may be meant, since the value of one can refer to another. */
    @Override
    public synchronized void onApplicationEvent(EnvironmentChangeEvent event) {
        try {
            RollcallProperties.Instance now = read();
            registrations.all().forEach(registration -> update(registration, now));
            configured = now;
        } catch (BindException | InvalidConfigurationException ex) {
            logger.error("The refreshed settings of this instance are not used, since one is invalid", ex);
        }
    }

    private void update(RollcallRegistration registration, RollcallProperties.Instance now) {
        Map<String, String> before = instances.metadata(configured, registration.definition());
        Map<String, String> after = instances.metadata(now, registration.definition());
        if (!after.equals(before)) {
            serviceRegistry.update(registration, told -> {
                Map<String, String> metadata = new HashMap<>(told);
                before.forEach((key, value) -> {
                    if (!after.containsKey(key)) {
                        metadata.remove(key);
                    }
                });
                after.forEach((key, value) -> {
                    if (!value.equals(before.get(key))) {
                        metadata.put(key, value);
                    }
                });
                return metadata;
            });
        }
    }
}
