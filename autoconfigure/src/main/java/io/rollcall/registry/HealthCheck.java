package io.rollcall.registry;

import io.rollcall.HealthCheckProperties.Mode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How a registry that checks its instances itself is to check this application's.
 *
 * @param mode what to do, or null for the kind's default
 * @param path what an HTTP check asks for, with a leading slash, or null for the default
 * @param interval between two checks, above zero
 * @param timeout of one check, above zero
 * @param deregisterAfter how long an instance may be unhealthy before it is removed, above zero
 */
public record HealthCheck(
        @Nullable Mode mode, @Nullable String path, Duration interval, Duration timeout, Duration deregisterAfter) {

    /** That of a registry for which nothing is set. */
    public static final HealthCheck DEFAULT =
            new HealthCheck(null, null, Duration.ofSeconds(5), Duration.ofSeconds(3), Duration.ofMinutes(1));
}
