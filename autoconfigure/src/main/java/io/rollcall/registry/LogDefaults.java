package io.rollcall.registry;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.env.DefaultPropertiesPropertySource;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Lets client libraries log errors only, where they would write a line for every attempt to reconnect: Rollcall itself says when a
 * registry is lost and when it is back. To be called by an {@code EnvironmentPostProcessor} of a registry's package.
 */
public final class LogDefaults {

    private LogDefaults() {}

    /**
     * Sets the levels of loggers for which the application sets none, if a registry of one of these kinds is configured.
     *
     * @param environment the application's
     * @param schemes in lower case
     * @param loggers names of loggers
     */
    public static void errorsOnly(ConfigurableEnvironment environment, Set<String> schemes, String... loggers) {
        level("error", environment, schemes, loggers);
    }

    /** Does the same for libraries that report even an attempt to reconnect as an error: they log nothing. */
    public static void nothing(ConfigurableEnvironment environment, Set<String> schemes, String... loggers) {
        level("off", environment, schemes, loggers);
    }

    private static void level(
            String level, ConfigurableEnvironment environment, Set<String> schemes, String... loggers) {
        Binder binder = Binder.get(environment);
        boolean configured = binder.bind("rollcall.enabled", Boolean.class).orElse(true)
                && binder
                        .bind("rollcall.registries", Bindable.mapOf(String.class, Configured.class))
                        .orElse(Map.of())
                        .values()
                        .stream()
                        .anyMatch(registry -> registry.isOneOf(schemes));
        if (configured) {
            Map<String, Object> levels = new HashMap<>();
            for (String logger : loggers) {
                if (!environment.containsProperty("logging.level." + logger)) {
                    levels.put("logging.level." + logger, level);
                }
            }
            DefaultPropertiesPropertySource.addOrMerge(levels, environment.getPropertySources());
        }
    }

    /** The one property of a registry that matters here. Not private: the binder leaves private constructors alone. */
    record Configured(@Nullable String url) {

        boolean isOneOf(Set<String> schemes) {
            return url != null
                    && schemes.stream()
                            .anyMatch(scheme ->
                                    url.strip().toLowerCase(Locale.ROOT).startsWith(scheme + ":"));
        }
    }
}
