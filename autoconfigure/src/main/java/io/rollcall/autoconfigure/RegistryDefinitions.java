package io.rollcall.autoconfigure;

import io.rollcall.HealthCheckProperties;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.RegistryProperties;
import io.rollcall.registry.HealthCheck;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryUrl;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.util.StringUtils;

/** Checks a registry's properties as far as all kinds have them in common. */
final class RegistryDefinitions {

    private RegistryDefinitions() {}

    static RegistryDefinition of(String name, RegistryUrl url, RegistryProperties properties, RegistryFactory factory) {
        HealthCheck healthCheck = healthCheck(name, properties.getHealthCheck(), factory);
        Duration interval = properties.getInterval();
        Credentials credentials = new Credentials(
                properties.getUsername() != null ? properties.getUsername() : url.username(),
                properties.getPassword() != null ? properties.getPassword() : url.password(),
                properties.getToken());
        return new RegistryDefinition(
                name,
                url,
                timing(name, properties, interval != null ? interval : factory.defaultInterval(healthCheck)),
                properties.isRegister(),
                properties.isResolve(),
                address(name, trimToNull(properties.getAddress())),
                properties.getPrefix(),
                credentials,
                trimToNull(properties.getSsl().getBundle()),
                healthCheck);
    }

    static RegistryUrl url(String name, RegistryProperties properties) {
        String url = properties.getUrl();
        String property = property(name, "url");
        if (!StringUtils.hasText(url)) {
            throw new InvalidConfigurationException(
                    property,
                    null,
                    "a registry needs a URL",
                    "Set it to the registry's URL, such as 'redis://localhost:6379', or remove the registry.");
        }
        try {
            return RegistryUrl.parse(url);
        } catch (IllegalArgumentException ex) {
            // The value may hold a password at a place that could not be told, so it is not shown at all.
            throw new InvalidConfigurationException(
                    property,
                    null,
                    "it is not a URL: " + ex.getMessage(),
                    "Write it as 'scheme://user:password@host:port', other characters than letters and digits in the user and"
                            + " the password percent-encoded.");
        }
    }

    static InvalidConfigurationException invalidUrl(String name, RegistryUrl url, String reason, String remedy) {
        return new InvalidConfigurationException(property(name, "url"), url.toString(), reason, remedy);
    }

    private static @Nullable String address(String name, @Nullable String address) {
        if (address != null && !Instance.isHost(address)) {
            throw new InvalidConfigurationException(
                    property(name, "address"),
                    address,
                    "it is neither a host name nor an IP address",
                    "Write the name or address alone, an IPv6 address without brackets; the port is that of"
                            + " 'rollcall.ports.<name>.port'.");
        }
        return address;
    }

    private static HealthCheck healthCheck(String name, HealthCheckProperties properties, RegistryFactory factory) {
        String path = trimToNull(properties.getPath());
        if (!factory.checksHealth() && (properties.getMode() != null || path != null)) {
            throw new InvalidConfigurationException(
                    property(name, "health-check." + (properties.getMode() != null ? "mode" : "path")),
                    properties.getMode() != null ? properties.getMode().name().toLowerCase(Locale.ROOT) : path,
                    "registries of this kind do not check instances themselves",
                    "Remove it: the instance is renewed at every 'interval'.");
        }
        return new HealthCheck(
                properties.getMode(),
                path == null || path.startsWith("/") ? path : "/" + path,
                aboveZero(name, "interval", properties.getInterval()),
                aboveZero(name, "timeout", properties.getTimeout()),
                aboveZero(name, "deregister-after", properties.getDeregisterAfter()));
    }

    private static Duration aboveZero(String name, String suffix, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new InvalidConfigurationException(
                    property(name, "health-check." + suffix),
                    duration.toString(),
                    "it has to be above zero",
                    "Set it to a time such as '5s', or remove it.");
        }
        return duration;
    }

    private static Registry.Timing timing(String name, RegistryProperties properties, Duration interval) {
        Duration timeout = properties.getTimeout();
        Duration ttl = properties.getTtl();
        if (interval.isNegative()) {
            throw new InvalidConfigurationException(
                    property(name, "interval"),
                    interval.toString(),
                    "an interval can not be negative",
                    "Set it to the time between two renewals, such as '5s'.");
        }
        if (timeout.isNegative() || timeout.isZero()) {
            throw new InvalidConfigurationException(
                    property(name, "timeout"),
                    timeout.toString(),
                    "every call needs a limit above zero",
                    "Set it to the longest time that a call may take, such as '3s'.");
        }
        if (ttl != null && ttl.compareTo(interval) <= 0) {
            throw new InvalidConfigurationException(
                    property(name, "ttl"),
                    ttl.toString(),
                    "the registry would forget the instance before its next renewal, which comes after " + interval,
                    "Set it to more than the interval, at best three times as much, or remove it.");
        }
        Duration defaultTtl = interval.isZero() ? Registry.Timing.DEFAULT.ttl() : interval.multipliedBy(3);
        return new Registry.Timing(interval, ttl != null ? ttl : defaultTtl, timeout);
    }

    private static String property(String name, String suffix) {
        return "rollcall.registries." + name + "." + suffix;
    }

    private static @Nullable String trimToNull(@Nullable String text) {
        return StringUtils.hasText(text) ? text.trim() : null;
    }
}
