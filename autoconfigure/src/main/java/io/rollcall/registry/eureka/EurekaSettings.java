package io.rollcall.registry.eureka;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a definition says to Eureka, checked.
 *
 * @param servers the base URL of each server, without a slash at its end
 * @param authorization the header of that name, or null for none
 */
record EurekaSettings(List<String> servers, @Nullable String authorization) {

    private static final int DEFAULT_PORT = 8761;

    private static final String DEFAULT_PATH = "eureka";

    private static final String FORM = "Write eureka://host:port/eureka.";

    EurekaSettings {
        servers = List.copyOf(servers);
    }

    static EurekaSettings of(RegistryDefinition definition) {
        if (definition.url().endpoints().isEmpty()) {
            throw definition.invalidUrl("it names no host", FORM);
        }
        if (!definition.url().query().isEmpty()) {
            throw definition.invalidUrl(
                    "a Eureka URL has no parameters", "Remove everything from the '?' on, and use properties instead.");
        }
        rejectWhatHasNoEffect(definition);
        String scheme = definition.url().scheme().equals(EurekaRegistryFactory.WITH_TLS) ? "https" : "http";
        String path = path(definition);
        return new EurekaSettings(
                definition.url().endpoints().stream()
                        .map(endpoint -> scheme + "://" + endpoint.toString(DEFAULT_PORT) + "/" + path)
                        .toList(),
                authorization(definition));
    }

    /** What every call is sent with. */
    Map<String, String> headers() {
        return authorization == null
                ? Map.of("Accept", "application/json")
                : Map.of("Accept", "application/json", "Authorization", authorization);
    }

    private static String path(RegistryDefinition definition) {
        String path = definition.url().path().replaceAll("/+$", "");
        if (path.isEmpty()) {
            return DEFAULT_PATH;
        }
        if (!path.matches("[A-Za-z0-9._~/-]+") || path.contains("//")) {
            throw definition.invalidUrl("its path has characters that none of Eureka has", FORM);
        }
        return path;
    }

    private static void rejectWhatHasNoEffect(RegistryDefinition definition) {
        if (definition.credentials().token() != null) {
            throw new InvalidConfigurationException(
                    definition.property("token"),
                    null,
                    "Eureka knows no tokens",
                    "Use username and password, which are sent as HTTP basic authentication.");
        }
        if (definition.prefix() != null) {
            throw new InvalidConfigurationException(
                    definition.property("prefix"),
                    definition.prefix(),
                    "Eureka's applications have no prefix",
                    "Remove it, or give the service another name.");
        }
        if (definition.sslBundle() != null && !definition.url().scheme().equals(EurekaRegistryFactory.WITH_TLS)) {
            throw definition.invalidUrl("it has an SSL bundle, but does not ask for TLS", "Write eurekas://.");
        }
        if (definition.register() && definition.timing().interval().isZero()) {
            throw new InvalidConfigurationException(
                    definition.property("interval"),
                    "0",
                    "Eureka checks nothing itself, and would forget the instance",
                    "Set it to the time between two renewals, such as '5s'.");
        }
    }

    private static @Nullable String authorization(RegistryDefinition definition) {
        Credentials credentials = definition.credentials();
        String username = credentials.username();
        String password = credentials.password();
        if (username == null && password == null) {
            return null;
        }
        if (username == null || password == null || username.indexOf(':') >= 0) {
            throw new InvalidConfigurationException(
                    definition.property(password == null ? "password" : "username"),
                    null,
                    "HTTP basic authentication needs both a user without a colon and a password",
                    "Set both " + definition.property("username") + " and " + definition.property("password") + ".");
        }
        byte[] pair = (username + ":" + password).getBytes(StandardCharsets.UTF_8);
        return "Basic " + Base64.getEncoder().encodeToString(pair);
    }

    @Override
    public String toString() {
        return "EurekaSettings" + servers;
    }
}
