package io.rollcall.registration;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.RollcallProperties;
import io.rollcall.registry.Instance;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Locale;
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

    private final @Nullable String chosenId;

    private final @Nullable String chosenScheme;

    private final AddressChooser addresses;

    private final Environment environment;

    private final ContextPath contextPath;

    private final @Nullable BuildProperties build;

    private final Instant startTime;

    InstanceFactory(
            RollcallProperties.Instance properties,
            AddressChooser addresses,
            Environment environment,
            ContextPath contextPath,
            @Nullable BuildProperties build,
            Instant startTime) {
        checkWeight(properties);
        this.properties = properties;
        // A refresh of the configuration writes into the properties; an instance keeps what callers and registries know
        // it by.
        this.chosenId = properties.getId();
        this.chosenScheme = properties.getScheme();
        this.addresses = addresses;
        this.environment = environment;
        this.contextPath = contextPath;
        this.build = build;
        this.startTime = startTime;
    }

    /**
     * @param definition the port
     * @param number its number
     */
    Instance create(PortDefinition definition, int number) {
        String host = addresses.choose(
                environment.getProperty(isManagement(definition) ? "management.server.address" : "server.address"));
        String scheme = scheme(definition);
        String service = definition.serviceName();
        String id = chosenId == null
                ? service + "-" + host + "-" + number
                : definition.name().equals(PortDefinition.HTTP) ? chosenId : chosenId + "-" + definition.name();
        return new Instance(id, service, host, number, isSecure(scheme), metadata(properties, definition));
    }

    /**
     * What is told of a port beside its address.
     *
     * @param current the properties, of which only those count that may change while the application runs
     * @param definition the port
     */
    Map<String, String> metadata(RollcallProperties.Instance current, PortDefinition definition) {
        checkWeight(current);
        Map<String, @Nullable String> metadata = new LinkedHashMap<>();
        String scheme = scheme(definition);
        metadata.put("env", current.getEnv());
        metadata.put("region", current.getRegion());
        metadata.put("zone", current.getZone());
        metadata.put("scheme", scheme);
        metadata.put(Instance.WEIGHT, Integer.toString(current.getWeight()));
        metadata.put("deployment", current.getDeployment());
        metadata.put("frameVersion", SpringBootVersion.getVersion());
        metadata.put(
                "appVersion",
                current.getAppVersion() != null || build == null ? current.getAppVersion() : build.getVersion());
        metadata.put(
                "buildTime",
                build == null || build.getTime() == null
                        ? null
                        : build.getTime().toString());
        metadata.put("startTime", startTime.toString());
        metadata.put("contextPath", contextPath(definition));
        metadata.put("secure", Boolean.toString(isSecure(scheme)));
        metadata.putAll(current.getMetadata());
        Map<String, String> told = new LinkedHashMap<>();
        metadata.forEach((key, value) -> {
            if (value != null && !value.isEmpty()) {
                told.put(key, value);
            }
        });
        return told;
    }

    private static void checkWeight(RollcallProperties.Instance properties) {
        if (properties.getWeight() < 0 || properties.getWeight() > Instance.MAX_WEIGHT) {
            throw new InvalidConfigurationException(
                    "rollcall.instance.weight",
                    Integer.toString(properties.getWeight()),
                    "a weight is a number within 0..10000",
                    "Set it to the share of the traffic beside other instances; 100 is the default, 0 means no traffic.");
        }
    }

    private static boolean isSecure(String scheme) {
        return scheme.equals("https") || scheme.equals("grpcs") || scheme.equals("wss");
    }

    private String scheme(PortDefinition definition) {
        String chosen = definition.scheme() != null ? definition.scheme() : chosenScheme;
        if (chosen != null) {
            return chosen.toLowerCase(Locale.ROOT);
        }
        return usesTls(isManagement(definition) ? "management.server.ssl" : "server.ssl") ? "https" : "http";
    }

    /** Callers add it themselves: an address has no path in Spring Cloud's contracts. */
    private @Nullable String contextPath(PortDefinition definition) {
        return switch (definition.name()) {
            case PortDefinition.HTTP -> contextPath.get();
            case PortDefinition.MANAGEMENT -> environment.getProperty("management.server.base-path");
            default -> null;
        };
    }

    private static boolean isManagement(PortDefinition definition) {
        return definition.name().equals(PortDefinition.MANAGEMENT);
    }

    private boolean usesTls(String prefix) {
        boolean configured = Binder.get(environment)
                .bind(prefix, Bindable.mapOf(String.class, Object.class))
                .isBound();
        return configured && environment.getProperty(prefix + ".enabled", Boolean.class, true);
    }
}
