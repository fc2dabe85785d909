package io.rollcall.registration;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * What is known of an instance in one registry. Immutable.
 *
 * @param state where it stands
 * @param since when it came there
 * @param attempts how many attempts have failed in a row
 * @param lastSuccess when the registry last accepted or removed it, or null if never
 * @param lastError why the last failed attempt failed, without secrets; null if none has since the last success
 * @param nextAttempt when it is renewed or tried next, or null if nothing is planned
 */
public record RegistrationStatus(
        RegistrationState state,
        Instant since,
        int attempts,
        @Nullable Instant lastSuccess,
        @Nullable String lastError,
        @Nullable Instant nextAttempt) {

    static RegistrationStatus pending(Instant now) {
        return new RegistrationStatus(RegistrationState.PENDING, now, 0, null, null, null);
    }

    RegistrationStatus succeeded(RegistrationState reached, Instant now) {
        return new RegistrationStatus(reached, reached == state ? since : now, 0, now, null, null);
    }

    RegistrationStatus failed(RegistrationState reached, String error, Instant now) {
        return new RegistrationStatus(reached, reached == state ? since : now, attempts + 1, lastSuccess, error, null);
    }

    RegistrationStatus due(Instant now, Duration delay) {
        return new RegistrationStatus(state, since, attempts, lastSuccess, lastError, now.plus(delay));
    }
}
