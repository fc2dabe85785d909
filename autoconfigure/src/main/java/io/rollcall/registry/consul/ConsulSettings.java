package io.rollcall.registry.consul;

import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryUrl;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a registry's definition means for Consul.
 *
 * @param name the registry's name
 * @param base what goes before {@code /v1}
 * @param token the ACL token, or null
 * @param timeout the limit of every call
 * @param query parameters of every call
 * @param lookupQuery parameters of look-ups besides
 * @param tags of our registrations
 * @param names how services and instances are called in Consul
 * @param agentAddress whether our entries leave the address to the agent
 */
record ConsulSettings(
        String name,
        URI base,
        @Nullable String token,
        Duration timeout,
        Map<String, String> query,
        Map<String, String> lookupQuery,
        List<String> tags,
        ConsulNames names,
        boolean agentAddress) {

    private static final int PORT = 8500;

    private static final Duration SHORTEST_REMOVAL = Duration.ofMinutes(1);

    private static final String FORM =
            "Write consul://host:8500, with ?dc=, ns=, tags=, tag= or address=agent if need be.";

    private static final Set<String> PARAMETERS = Set.of("dc", "ns", "tags", "tag", "address");

    static ConsulSettings of(RegistryDefinition definition) {
        checkUrl(definition);
        checkTiming(definition);
        RegistryUrl url = definition.url();
        boolean tls = url.scheme().equals("consuls") || definition.sslBundle() != null;
        String path = url.path().replaceAll("/+$", "");
        URI base = URI.create((tls ? "https://" : "http://")
                + url.endpoints().get(0).toString(PORT)
                + (path.isEmpty() ? "" : "/" + ConsulNames.encodePath(path)));
        Map<String, String> lookups = new LinkedHashMap<>();
        copy(url, "dc", lookups);
        copy(url, "tag", lookups);
        Map<String, String> all = new LinkedHashMap<>();
        copy(url, "ns", all);
        ConsulNames names = new ConsulNames(definition.prefix());
        boolean agentAddress = url.query().containsKey("address");
        if (agentAddress && names.swoole()) {
            throw definition.invalidUrl(
                    "Swoole's readers need an address in every entry", "Remove 'address=agent', or the prefix.");
        }
        return new ConsulSettings(
                definition.name(),
                base,
                definition.credentials().token(),
                definition.timing().timeout(),
                all,
                lookups,
                list(url.query().getOrDefault("tags", "")),
                names,
                agentAddress);
    }

    private static void checkUrl(RegistryDefinition definition) {
        RegistryUrl url = definition.url();
        if (url.endpoints().isEmpty()) {
            throw definition.invalidUrl("it names no host", FORM);
        }
        if (url.endpoints().size() > 1) {
            throw definition.invalidUrl(
                    "it names several hosts, but an instance is registered in one agent",
                    "Name the agent of this host, which knows the servers.");
        }
        if (definition.credentials().username() != null
                || definition.credentials().password() != null) {
            throw definition.invalidUrl(
                    "Consul knows no users", "Set " + definition.property("token") + " to an ACL token instead.");
        }
        for (String parameter : url.query().keySet()) {
            if (!PARAMETERS.contains(parameter)) {
                throw definition.invalidUrl("it has an unknown parameter '" + parameter + "'", FORM);
            }
        }
        String address = url.query().get("address");
        if (address != null && !address.equals("agent")) {
            throw definition.invalidUrl(
                    "the parameter 'address' can only be 'agent'",
                    "Set " + definition.property("address") + " to register a certain address.");
        }
        String token = definition.credentials().token();
        if (token != null && !token.chars().allMatch(c -> c > ' ' && c < 127)) {
            throw new InvalidConfigurationException(
                    definition.property("token"),
                    null,
                    "it has blanks or other characters that no token has",
                    "Set it to the token's secret id.");
        }
    }

    private static void checkTiming(RegistryDefinition definition) {
        Duration removal = definition.healthCheck().deregisterAfter();
        if (removal.compareTo(SHORTEST_REMOVAL) < 0) {
            throw new InvalidConfigurationException(
                    definition.property("health-check.deregister-after"),
                    removal.toString(),
                    "Consul removes nothing earlier than after one minute",
                    "Set it to '1m' or more, or remove it.");
        }
        if (definition.healthCheck().mode() == Mode.TTL
                && definition.register()
                && definition.timing().interval().isZero()) {
            throw new InvalidConfigurationException(
                    definition.property("interval"),
                    "0",
                    "in mode 'ttl' Consul checks nothing itself, and would take the instance for dead",
                    "Set it to the time between two renewals, such as '5s', or choose another mode.");
        }
    }

    private static void copy(RegistryUrl url, String parameter, Map<String, String> query) {
        String value = url.query().get(parameter);
        if (value != null && !value.isBlank()) {
            query.put(parameter, value.strip());
        }
    }

    private static List<String> list(String text) {
        return Arrays.stream(text.split(","))
                .map(String::strip)
                .filter(tag -> !tag.isEmpty())
                .toList();
    }

    /** Without the token. */
    @Override
    public String toString() {
        return "ConsulSettings[" + name + "]";
    }
}
