package io.rollcall.registry.dns;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a definition says to DNS, checked.
 *
 * @param servers not resolved yet; empty for the system's own
 * @param prefix what stands before a service's name, with a dot at its end, or empty
 * @param suffix what stands behind it, with a dot at its start, or empty
 * @param lookup which records to ask for
 * @param port of all instances that are found by their address
 * @param secure whether instances are called by TLS
 */
record DnsSettings(
        List<InetSocketAddress> servers, String prefix, String suffix, Lookup lookup, int port, boolean secure) {

    private static final int DNS_PORT = 53;

    /** As Kubernetes names the service records of a port {@code http}. */
    private static final String DEFAULT_PREFIX = "_http._tcp";

    private static final Set<String> PARAMETERS = Set.of("type", "port", "scheme");

    private static final String FORM =
            "Write dns://server:port/suffix?type=srv, or dns://server:port/suffix?port=8080.";

    /** Which records to ask for. */
    enum Lookup {
        /** Service records. */
        SRV,
        /** IPv4 addresses, or IPv6 ones where there are none. */
        A,
        /** IPv6 addresses alone. */
        AAAA
    }

    static DnsSettings of(RegistryDefinition definition) {
        rejectWhatHasNoEffect(definition);
        Map<String, String> query = definition.url().query();
        for (String key : query.keySet()) {
            if (!PARAMETERS.contains(key)) {
                throw definition.invalidUrl("it has an unknown parameter '" + key + "'", FORM);
            }
        }
        Lookup lookup = lookup(definition, query.get("type"), query.containsKey("port"));
        String prefix = prefix(definition, lookup);
        return new DnsSettings(
                definition.url().endpoints().stream()
                        .map(endpoint -> InetSocketAddress.createUnresolved(endpoint.host(), endpoint.portOr(DNS_PORT)))
                        .toList(),
                prefix.isEmpty() ? "" : prefix + ".",
                suffix(definition),
                lookup,
                port(definition, lookup, query.get("port")),
                secure(definition, query.get("scheme"), prefix));
    }

    boolean services() {
        return lookup == Lookup.SRV;
    }

    private static void rejectWhatHasNoEffect(RegistryDefinition definition) {
        RegistryDefinition.Credentials credentials = definition.credentials();
        String property = credentials.username() != null
                ? "username"
                : credentials.password() != null
                        ? "password"
                        : credentials.token() != null ? "token" : definition.sslBundle() != null ? "ssl.bundle" : null;
        if (property != null) {
            throw new InvalidConfigurationException(
                    definition.property(property),
                    null,
                    "DNS knows neither users nor TLS",
                    "Remove it from the property or the URL.");
        }
    }

    private static Lookup lookup(RegistryDefinition definition, @Nullable String type, boolean hasPort) {
        if (type == null) {
            return hasPort ? Lookup.A : Lookup.SRV;
        }
        try {
            return Lookup.valueOf(type.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException ex) {
            throw definition.invalidUrl("its type is none of srv, a and aaaa", FORM);
        }
    }

    private static int port(RegistryDefinition definition, Lookup lookup, @Nullable String text) {
        if (lookup == Lookup.SRV) {
            if (text != null) {
                throw definition.invalidUrl("service records tell the port themselves", "Remove the parameter 'port'.");
            }
            return 0;
        }
        if (text == null || !text.matches("\\d{1,5}") || Integer.parseInt(text) < 1 || Integer.parseInt(text) > 65535) {
            throw definition.invalidUrl("addresses need a port within 1..65535", "Add the parameter: ?port=8080.");
        }
        return Integer.parseInt(text);
    }

    private static String suffix(RegistryDefinition definition) {
        String suffix = definition.url().path().replaceAll("^\\.+|[./]+$", "");
        if (!suffix.isEmpty() && !DnsNames.isValid(suffix)) {
            throw definition.invalidUrl("what is behind the servers is no part of a domain name", FORM);
        }
        return suffix.isEmpty() ? "" : "." + suffix;
    }

    private static String prefix(RegistryDefinition definition, Lookup lookup) {
        String prefix = definition.prefix();
        if (prefix == null) {
            return lookup == Lookup.SRV ? DEFAULT_PREFIX : "";
        }
        String stripped = prefix.strip().replaceAll("\\.$", "");
        if (!stripped.isEmpty() && !DnsNames.isValid(stripped)) {
            throw new InvalidConfigurationException(
                    definition.property("prefix"),
                    prefix,
                    "it can not be the beginning of a domain name",
                    "Use one such as " + DEFAULT_PREFIX + ", or an empty one.");
        }
        return stripped;
    }

    private static boolean secure(RegistryDefinition definition, @Nullable String scheme, String prefix) {
        if (scheme == null) {
            return prefix.startsWith("_https.");
        }
        if (!scheme.equals("http") && !scheme.equals("https")) {
            throw definition.invalidUrl("its scheme is neither http nor https", "Write ?scheme=https.");
        }
        return scheme.equals("https");
    }
}
