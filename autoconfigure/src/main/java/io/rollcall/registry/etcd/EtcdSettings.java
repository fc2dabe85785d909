package io.rollcall.registry.etcd;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryUrl;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a definition says about etcd.
 *
 * @param hosts in the order in which they are tried, with their ports
 * @param keys where things are
 * @param username or null, if nobody logs in
 * @param password of the user, or null
 */
record EtcdSettings(
        List<RegistryUrl.Endpoint> hosts,
        EtcdKeys keys,
        @Nullable String username,
        @Nullable String password) {

    private static final int DEFAULT_PORT = 2379;

    static EtcdSettings of(RegistryDefinition definition) {
        RegistryUrl url = definition.url();
        if (url.endpoints().isEmpty()) {
            throw definition.invalidUrl("it names no host", "Write etcd://host:2379, or several hosts with commas.");
        }
        definition.checkHostsForGrpc();
        if (!url.path().isEmpty() || !url.query().isEmpty()) {
            throw definition.invalidUrl(
                    "an etcd URL has neither a path nor parameters",
                    "Remove what follows the last host; what keys begin with is set by " + definition.property("prefix")
                            + ".");
        }
        if (definition.register() && definition.timing().interval().isZero()) {
            throw new InvalidConfigurationException(
                    definition.property("interval"),
                    "0",
                    "etcd checks nothing itself, and would forget the instance",
                    "Set it to the time between two renewals, such as '5s'.");
        }
        Credentials credentials = credentials(definition);
        return new EtcdSettings(
                url.endpoints().stream()
                        .map(host -> new RegistryUrl.Endpoint(host.host(), host.portOr(DEFAULT_PORT)))
                        .toList(),
                EtcdKeys.withPrefix(definition.prefix()),
                credentials.username(),
                credentials.password());
    }

    private static Credentials credentials(RegistryDefinition definition) {
        Credentials credentials = definition.credentials();
        if (credentials.token() != null) {
            throw new InvalidConfigurationException(
                    definition.property("token"),
                    null,
                    "etcd's tokens live for minutes only, and are given to whoever logs in",
                    "Use username and password.");
        }
        if ((credentials.username() == null) != (credentials.password() == null)) {
            throw new InvalidConfigurationException(
                    definition.property(credentials.username() == null ? "username" : "password"),
                    null,
                    "etcd's login needs both a user and a password",
                    "Set both " + definition.property("username") + " and " + definition.property("password")
                            + ", or neither for a client certificate.");
        }
        return credentials;
    }

    @Override
    public String toString() {
        return "EtcdSettings[" + hosts + keys + "]";
    }
}
