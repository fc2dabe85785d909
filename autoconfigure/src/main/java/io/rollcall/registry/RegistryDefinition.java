package io.rollcall.registry;

import io.rollcall.InvalidConfigurationException;
import java.net.URI;
import java.net.URISyntaxException;
import org.jspecify.annotations.Nullable;

/**
 * A registry as it was configured, checked as far as all kinds have it in common.
 *
 * @param name the registry's name
 * @param url its URL
 * @param timing how often and how long
 * @param register whether to register there
 * @param resolve whether to look services up there
 * @param address the address to register there, or null for the chosen one
 * @param prefix key, path or name prefix, or null for the kind's default
 * @param credentials user, password and token from the properties, or else from the URL
 * @param sslBundle the name of an SSL bundle, or null
 * @param healthCheck how the registry is to check the instance, if it does so at all
 */
public record RegistryDefinition(
        String name,
        RegistryUrl url,
        Registry.Timing timing,
        boolean register,
        boolean resolve,
        @Nullable String address,
        @Nullable String prefix,
        Credentials credentials,
        @Nullable String sslBundle,
        HealthCheck healthCheck) {

    /** A definition that sets nothing about health checks. */
    public RegistryDefinition(
            String name,
            RegistryUrl url,
            Registry.Timing timing,
            boolean register,
            boolean resolve,
            @Nullable String address,
            @Nullable String prefix,
            Credentials credentials,
            @Nullable String sslBundle) {
        this(name, url, timing, register, resolve, address, prefix, credentials, sslBundle, HealthCheck.DEFAULT);
    }

    /** The registry's property of that name, such as {@code rollcall.registries.redis.url}. */
    public String property(String suffix) {
        return "rollcall.registries." + name + "." + suffix;
    }

    /** An exception for this registry's URL. */
    public InvalidConfigurationException invalidUrl(String reason, String remedy) {
        return new InvalidConfigurationException(property("url"), url.toString(), reason, remedy);
    }

    /**
     * Sees that gRPC can take the URL's hosts, which to it are those of Java's URIs.
     *
     * @throws InvalidConfigurationException for a name with an underscore, such as containers may have
     */
    public void checkHostsForGrpc() {
        if (!url.endpoints().stream().allMatch(RegistryDefinition::isUriHost)) {
            throw invalidUrl(
                    "gRPC, by which this registry is called, takes no host name with other characters than letters, digits, dots"
                            + " and dashes, not even an underscore",
                    "Give the host another name, such as an alias in its container network, or write its address.");
        }
    }

    private static boolean isUriHost(RegistryUrl.Endpoint endpoint) {
        try {
            return new URI("//" + endpoint.toString(1)).getHost() != null;
        } catch (URISyntaxException ex) {
            return false;
        }
    }

    /**
     * The registry that this definition and its two roles make.
     *
     * @param type the kind of registry
     * @param registrar used if the definition says {@code register}
     * @param resolver used if the definition says {@code resolve}
     * @param client closed at the end
     */
    public Registry toRegistry(
            String type, @Nullable Registrar registrar, @Nullable Resolver resolver, Registry.Client client) {
        return new Registry(
                name,
                type,
                url.toString(),
                timing,
                address,
                register ? registrar : null,
                resolve ? resolver : null,
                client);
    }

    /**
     * Who we are to the registry. Never printed.
     *
     * @param username or null
     * @param password or null
     * @param token or null
     */
    public record Credentials(
            @Nullable String username,
            @Nullable String password,
            @Nullable String token) {

        @Override
        public String toString() {
            return "Credentials[" + (username == null && password == null && token == null ? "none" : "******") + "]";
        }
    }
}
