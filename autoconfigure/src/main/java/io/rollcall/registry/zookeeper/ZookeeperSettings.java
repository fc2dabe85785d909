package io.rollcall.registry.zookeeper;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryUrl;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What a definition says to ZooKeeper, checked.
 *
 * @param connectString {@code host:port,host:port}; empty for the application's own connection
 * @param chroot the URL's path with a leading slash, or empty
 * @param prefix the path of the services below it with a leading slash, or empty
 * @param digest {@code user:password}, or null for none
 */
record ZookeeperSettings(
        String connectString,
        String chroot,
        String prefix,
        @Nullable String digest) {

    private static final int DEFAULT_PORT = 2181;

    private static final String DEFAULT_PREFIX = "/services";

    static ZookeeperSettings of(RegistryDefinition definition) {
        RegistryUrl url = definition.url();
        if (!url.query().isEmpty()) {
            throw definition.invalidUrl(
                    "a ZooKeeper URL has no parameters",
                    "Remove everything from the '?' on, and use properties instead.");
        }
        if (url.endpoints().isEmpty() && !url.path().isEmpty()) {
            throw definition.invalidUrl(
                    "it names no host",
                    "Write zookeeper://host:port/chroot, or zookeeper: alone for the application's own connection.");
        }
        String connectString = url.endpoints().stream()
                .map(endpoint -> endpoint.toString(DEFAULT_PORT))
                .collect(Collectors.joining(","));
        rejectTls(definition);
        return new ZookeeperSettings(
                connectString, chroot(definition), prefix(definition), digest(definition, connectString.isEmpty()));
    }

    boolean ownConnection() {
        return !connectString.isEmpty();
    }

    private static String chroot(RegistryDefinition definition) {
        try {
            return ServicePaths.normalize(definition.url().path());
        } catch (IllegalArgumentException ex) {
            throw definition.invalidUrl(
                    "its path can not be one in ZooKeeper: " + ex.getMessage(),
                    "Use a path such as /team-a after the last host.");
        }
    }

    private static String prefix(RegistryDefinition definition) {
        String prefix = definition.prefix();
        try {
            return prefix == null ? DEFAULT_PREFIX : ServicePaths.normalize(prefix);
        } catch (IllegalArgumentException ex) {
            throw new InvalidConfigurationException(
                    definition.property("prefix"),
                    prefix,
                    "it can not be a path in ZooKeeper: " + ex.getMessage(),
                    "Use a path such as " + DEFAULT_PREFIX + ".");
        }
    }

    private static @Nullable String digest(RegistryDefinition definition, boolean shared) {
        Credentials credentials = definition.credentials();
        String username = credentials.username();
        String password = credentials.password();
        if (credentials.token() != null) {
            throw new InvalidConfigurationException(
                    definition.property("token"),
                    null,
                    "ZooKeeper knows no tokens",
                    "Use username and password, which become ZooKeeper's digest scheme.");
        }
        if (username == null && password == null) {
            return null;
        }
        if (shared) {
            throw new InvalidConfigurationException(
                    definition.property(username == null ? "password" : "username"),
                    null,
                    "the application's own connection has its own credentials",
                    "Remove it, or name the hosts in " + definition.property("url") + ".");
        }
        if (username == null || password == null || username.indexOf(':') >= 0) {
            throw new InvalidConfigurationException(
                    definition.property(password == null ? "password" : "username"),
                    null,
                    "ZooKeeper's digest scheme needs both a user without a colon and a password",
                    "Set both " + definition.property("username") + " and " + definition.property("password") + ".");
        }
        return username + ":" + password;
    }

    /** ZooKeeper's client reads keys from files only, and takes no SSL context or store from its caller. */
    private static void rejectTls(RegistryDefinition definition) {
        if (definition.sslBundle() != null) {
            throw new InvalidConfigurationException(
                    definition.property("ssl.bundle"),
                    definition.sslBundle(),
                    "ZooKeeper's client reads keys and certificates from files alone, so no bundle can be given to it",
                    "Declare a CuratorFramework bean whose ZKClientConfig has zookeeper.client.secure=true and the files,"
                            + " and set " + definition.property("url") + "=zookeeper: to use it.");
        }
    }

    @Override
    public String toString() {
        return "ZookeeperSettings[" + connectString + chroot + prefix + "]";
    }
}
