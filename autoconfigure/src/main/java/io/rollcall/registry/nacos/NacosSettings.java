package io.rollcall.registry.nacos;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryUrl;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What a definition says to Nacos, checked.
 *
 * @param servers {@code host:port} each
 * @param namespace its id
 * @param group the group of all services, ours and those that we find
 * @param cluster the cluster that our instances say they are in
 * @param names which services are ours, and how they are called in Nacos
 */
record NacosSettings(List<String> servers, String namespace, String group, String cluster, ServiceNaming names) {

    private static final int DEFAULT_PORT = 8848;

    private static final Set<String> PARAMETERS = Set.of("namespace", "group", "cluster");

    /** What servers from 2.3 on insist on. */
    private static final Pattern LEGAL = Pattern.compile("[A-Za-z0-9_.:-]{1,128}");

    static NacosSettings of(RegistryDefinition definition) {
        RegistryUrl url = definition.url();
        if (url.endpoints().isEmpty()) {
            throw definition.invalidUrl("it names no host", "Write nacos://host:8848.");
        }
        definition.checkHostsForGrpc();
        if (!url.path().isEmpty()) {
            throw definition.invalidUrl(
                    "it has a path", "Leave it out; a namespace is given as in nacos://host:8848?namespace=team-a.");
        }
        rejectUnknown(definition);
        rejectCredentials(definition);
        String cluster = parameter(definition, "cluster", "DEFAULT");
        if (!cluster.matches("[A-Za-z0-9-]+")) {
            throw definition.invalidUrl(
                    "the name of its cluster has other characters than letters, digits and dashes",
                    "Use a name such as DEFAULT.");
        }
        return new NacosSettings(
                url.endpoints().stream()
                        .map(endpoint -> endpoint.toString(DEFAULT_PORT))
                        .toList(),
                parameter(definition, "namespace", "public"),
                parameter(definition, "group", "DEFAULT_GROUP"),
                cluster,
                names(definition));
    }

    private static void rejectUnknown(RegistryDefinition definition) {
        Map<String, String> query = definition.url().query();
        if (!PARAMETERS.containsAll(query.keySet())) {
            throw definition.invalidUrl(
                    "it has a parameter that Rollcall does not know",
                    "The parameters of a Nacos URL are namespace, group and cluster.");
        }
    }

    private static String parameter(RegistryDefinition definition, String name, String otherwise) {
        String value = definition.url().query().getOrDefault(name, "");
        if (!value.isEmpty() && !LEGAL.matcher(value).matches()) {
            throw definition.invalidUrl(
                    "its parameter '" + name + "' is not a name that Nacos accepts",
                    "Use up to 128 letters, digits and characters of '_.:-'.");
        }
        return value.isEmpty() ? otherwise : value;
    }

    private static ServiceNaming names(RegistryDefinition definition) {
        String prefix = definition.prefix() == null ? "" : definition.prefix().strip();
        ServiceNaming names = new ServiceNaming(prefix);
        try {
            names.inNacos("x");
        } catch (IllegalArgumentException ex) {
            throw new InvalidConfigurationException(
                    definition.property("prefix"),
                    prefix,
                    "no service can be called so in Nacos: " + ex.getMessage(),
                    "Use a prefix such as swoole_service_, or none.");
        }
        return names;
    }

    private static void rejectCredentials(RegistryDefinition definition) {
        Credentials credentials = definition.credentials();
        if (credentials.token() != null) {
            throw new InvalidConfigurationException(
                    definition.property("token"),
                    null,
                    "Nacos's tokens last for hours only",
                    "Set username and password: Rollcall logs in, and again when a token ends.");
        }
        if ((credentials.username() == null) != (credentials.password() == null)) {
            throw new InvalidConfigurationException(
                    definition.property(credentials.password() == null ? "password" : "username"),
                    null,
                    "to log in to Nacos takes both a user and a password",
                    "Set both " + definition.property("username") + " and " + definition.property("password") + ".");
        }
        if (definition.sslBundle() != null) {
            throw new InvalidConfigurationException(
                    definition.property("ssl.bundle"),
                    definition.sslBundle(),
                    "Nacos's client reads keys and certificates from files alone, so no bundle can be given to it",
                    "Remove it, and reach Nacos through a TLS proxy beside the application.");
        }
    }
}
