package io.rollcall.registry.consul;

import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.registry.HealthCheck;
import io.rollcall.registry.Instance;
import io.rollcall.registry.RegistryDefinition;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes the check of an instance. */
final class ConsulChecks {

    static final String PASSING = "passing";

    private static final String DEFAULT_PATH = "/actuator/health";

    private final HealthCheck settings;

    private final Duration ttl;

    private final ActuatorHealth actuator;

    ConsulChecks(RegistryDefinition definition, ActuatorHealth actuator) {
        this.settings = definition.healthCheck();
        this.ttl = definition.timing().ttl();
        this.actuator = actuator;
    }

    /** The check's id for an instance's id in the agent: the one that Consul would give it. */
    static String id(String instanceId) {
        return "service:" + instanceId;
    }

    /** Whether the instance has to say at every interval that it lives. */
    boolean renews() {
        return settings.mode() == Mode.TTL;
    }

    boolean isNone() {
        return settings.mode() == Mode.NONE;
    }

    /**
     * A check definition of the agent's API.
     *
     * @param id the instance's id in the agent
     * @param status what to take it for until it has been checked
     * @return it, or null for none
     */
    @Nullable
    Map<String, Object> of(Instance instance, String id, String status) {
        if (isNone()) {
            return null;
        }
        Map<String, Object> check = new LinkedHashMap<>();
        check.put("CheckID", id(id));
        check.put("Status", status);
        check.put("DeregisterCriticalServiceAfter", text(settings.deregisterAfter()));
        if (renews()) {
            check.put("TTL", text(ttl));
            return check;
        }
        check.put("Interval", text(settings.interval()));
        check.put("Timeout", text(settings.timeout()));
        String url = settings.mode() == Mode.TCP ? null : url(instance);
        check.put(url == null ? "TCP" : "HTTP", url == null ? instance.address() : url);
        return check;
    }

    private @Nullable String url(Instance instance) {
        if (settings.path() != null) {
            return instance.uri() + settings.path();
        }
        String url = actuator.url(instance);
        return url == null && settings.mode() == Mode.HTTP ? instance.uri() + DEFAULT_PATH : url;
    }

    private static String text(Duration duration) {
        return duration.toMillis() + "ms";
    }
}
