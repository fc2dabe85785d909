package io.rollcall.registration;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.RollcallProperties;
import io.rollcall.registry.Instance;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.info.BuildProperties;
import org.springframework.core.env.Environment;

/** Makes what is told about a port: address, id and metadata. */
final class InstanceFactory {

    private final RollcallProperties.Instance properties;

    private final AddressChooser addresses;

    private final Environment environment;

    private final @Nullable BuildProperties build;

    private final Instant startTime;

    InstanceFactory(
            RollcallProperties.Instance properties,
            AddressChooser addresses,
            Environment environment,
            @Nullable BuildProperties build,
            Instant startTime) {
        if (properties.getWeight() < 0 || properties.getWeight() > Instance.MAX_WEIGHT) {
            throw new InvalidConfigurationException(
                    "rollcall.instance.weight",
                    Integer.toString(properties.getWeight()),
                    "a weight is a number within 0..10000",
                    "Set it to the share of the traffic beside other instances; 100 is the default, 0 means no traffic.");
        }
        this.properties = properties;
        this.addresses = addresses;
        this.environment = environment;
        this.build = build;
        this.startTime = startTime;
    }

    /**
     * @param definition the port
     * @param number its number
     */
    Instance create(PortDefinition definition, int number) {
        boolean management = definition.name().equals(PortDefinition.MANAGEMENT);
        String host =
                addresses.choose(environment.getProperty(management ? "management.server.address" : "server.address"));
        String scheme = scheme(definition, management);
        String service = definition.serviceName();
        String id = properties.getId() == null
                ? service + "-" + host + "-" + number
                : definition.name().equals(PortDefinition.HTTP)
                        ? properties.getId()
                        : properties.getId() + "-" + definition.name();
        boolean secure = scheme.equals("https") || scheme.equals("grpcs") || scheme.equals("wss");
        return new Instance(id, service, host, number, secure, metadata(scheme, secure));
    }

    private String scheme(PortDefinition definition, boolean management) {
        if (definition.scheme() != null) {
            return definition.scheme();
        }
        if (properties.getScheme() != null) {
            return properties.getScheme();
        }
        return usesTls(management ? "management.server.ssl" : "server.ssl") ? "https" : "http";
    }

    private boolean usesTls(String prefix) {
        boolean configured = Binder.get(environment)
                .bind(prefix, Bindable.mapOf(String.class, Object.class))
                .isBound();
        return configured && environment.getProperty(prefix + ".enabled", Boolean.class, true);
    }

    private Map<String, String> metadata(String scheme, boolean secure) {
        Map<String, @Nullable String> metadata = new LinkedHashMap<>();
        metadata.put("env", properties.getEnv());
        metadata.put("region", properties.getRegion());
        metadata.put("zone", properties.getZone());
        metadata.put("scheme", scheme);
        metadata.put(Instance.WEIGHT, Integer.toString(properties.getWeight()));
        metadata.put("deployment", properties.getDeployment());
        metadata.put("frameVersion", SpringBootVersion.getVersion());
        metadata.put(
                "appVersion",
                properties.getAppVersion() != null || build == null ? properties.getAppVersion() : build.getVersion());
        metadata.put(
                "buildTime",
                build == null || build.getTime() == null
                        ? null
                        : build.getTime().toString());
        metadata.put("startTime", startTime.toString());
        metadata.put("secure", Boolean.toString(secure));
        metadata.putAll(properties.getMetadata());
        Map<String, String> told = new LinkedHashMap<>();
        metadata.forEach((key, value) -> {
            if (value != null && !value.isEmpty()) {
                told.put(key, value);
            }
        });
        return told;
    }
}
