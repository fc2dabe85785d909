package io.rollcall.registration;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.RollcallProperties;
import io.rollcall.RollcallProperties.Port;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * A port to register, as it was configured.
 *
 * @param name {@code http}, {@code management} or a name of the user's
 * @param serviceName the name to register it under
 * @param port its number, or null for the one that the web server binds
 * @param scheme the scheme it is to be called by, or null for the instance's
 * @param registries names of the registries to register it in
 */
record PortDefinition(
        String name,
        String serviceName,
        @Nullable Integer port,
        @Nullable String scheme,
        Set<String> registries) {

    private static final Log logger = LogFactory.getLog(PortDefinition.class);

    private static final Pattern HOST_NAME = Pattern.compile("[A-Za-z0-9.-]+");

    static final String HTTP = "http";

    static final String MANAGEMENT = "management";

    /** All ports that are to be registered, the application's own first. */
    static List<PortDefinition> of(RollcallProperties properties, String applicationName, Registries registries) {
        Map<String, Port> ports = new LinkedHashMap<>();
        ports.put(HTTP, properties.getPorts().getOrDefault(HTTP, new Port()));
        ports.putAll(properties.getPorts());
        List<PortDefinition> definitions = new ArrayList<>();
        ports.forEach((name, port) -> {
            boolean enabled = port.getEnabled() == null ? !name.equals(MANAGEMENT) : port.getEnabled();
            if (enabled) {
                definitions.add(of(name, port, applicationName, registries));
            }
        });
        return definitions;
    }

    private static PortDefinition of(String name, Port port, String applicationName, Registries registries) {
        boolean bound = name.equals(HTTP) || name.equals(MANAGEMENT);
        if (!bound && port.getPort() == null) {
            throw new InvalidConfigurationException(
                    property(name, "port"),
                    null,
                    "no web server binds a port of that name",
                    "Set it to the number of the port, or 'rollcall.ports." + name + ".enabled' to false.");
        }
        if (port.getPort() != null && (port.getPort() < 1 || port.getPort() > 65535)) {
            throw new InvalidConfigurationException(
                    property(name, "port"),
                    port.getPort().toString(),
                    "a port is a number within 1..65535",
                    "Set it to the number that others can reach, or remove it to register the port that is bound.");
        }
        String serviceName = port.getServiceName() != null
                ? port.getServiceName()
                : name.equals(HTTP) ? applicationName : applicationName + "-" + name;
        PortDefinition definition = new PortDefinition(
                name, serviceName, port.getPort(), port.getScheme(), registries(name, port, registries));
        definition.checkServiceName(registries);
        definition.warnOfServiceName();
        return definition;
    }

    private static Set<String> registries(String name, Port port, Registries registries) {
        List<String> chosen = port.getRegistries();
        if (chosen == null) {
            return Set.copyOf(registries.names());
        }
        for (String registry : chosen) {
            if (registries.named(registry).isEmpty()) {
                throw new InvalidConfigurationException(
                        property(name, "registries"),
                        String.join(",", chosen),
                        "'" + registry + "' is not a registry",
                        "Use names of configured registries: " + String.join(", ", registries.names()) + ".");
            }
        }
        return Set.copyOf(chosen);
    }

    private void checkServiceName(Registries all) {
        for (Registry registry : all) {
            Registrar registrar = registry.registrar();
            if (registrar != null && registries.contains(registry.name())) {
                try {
                    registrar.checkServiceName(serviceName);
                } catch (IllegalArgumentException ex) {
                    throw new InvalidConfigurationException(
                            name.equals(HTTP) ? "rollcall.service-name" : property(name, "service-name"),
                            serviceName,
                            "registry '" + registry.name() + "' can not hold a service of that name: "
                                    + ex.getMessage(),
                            "Use letters, digits, '-' and '.', or leave that registry out.");
                }
            }
        }
    }

    /** Java's URIs take such a name for no host, so that what is called by it is nothing. */
    private void warnOfServiceName() {
        if (!HOST_NAME.matcher(serviceName).matches()) {
            logger.warn("The service name '" + serviceName + "' is no host name: it can be looked up, but http://"
                    + serviceName + " can not be called. Letters, digits, '-' and '.' can");
        }
    }

    private static String property(String name, String suffix) {
        return "rollcall.ports." + name + "." + suffix;
    }
}
