package io.rollcall.concurrency;

import io.rollcall.InvalidConfigurationException;
import java.time.Duration;

/**
 * What a client is told that was not let in. The marker header promises that nothing of the request was processed, so
 * that a caller may send it elsewhere whatever its method.
 *
 * @param status the response's status
 * @param retryAfter the {@code Retry-After} header, in seconds
 */
record Refusal(int status, String retryAfter) {

    static final String MARKER_HEADER = "X-Rollcall-Rejected";
    static final String MARKER = "max-concurrency";

    private static final String PREFIX = "rollcall.concurrency.";

    static Refusal of(int status, Duration retryAfter) {
        if (status < 400 || status > 599) {
            throw new InvalidConfigurationException(
                    PREFIX + "status",
                    Integer.toString(status),
                    "it is no error status",
                    "Set a status from 400 to 599, such as 503.");
        }
        if (retryAfter.isNegative()) {
            throw new InvalidConfigurationException(
                    PREFIX + "retry-after",
                    retryAfter.toString(),
                    "it is negative",
                    "Set a duration of 0 or more, such as '5s'.");
        }
        return new Refusal(status, Long.toString(retryAfter.toSeconds()));
    }
}
