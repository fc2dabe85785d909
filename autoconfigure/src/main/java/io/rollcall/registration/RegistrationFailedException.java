package io.rollcall.registration;

import java.time.Duration;
import java.util.Map;

/** The start was told to fail since a required registration did not succeed in time. */
public final class RegistrationFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Map<String, RegistrationStatus> statuses;

    RegistrationFailedException(Duration waited, Map<String, RegistrationStatus> statuses) {
        super("A required registration did not succeed within " + waited.toMillis() + " ms: " + describe(statuses));
        this.statuses = Map.copyOf(statuses);
    }

    /** The status in each registry, by its name. */
    public Map<String, RegistrationStatus> getStatuses() {
        return statuses;
    }

    static String describe(Map<String, RegistrationStatus> statuses) {
        StringBuilder text = new StringBuilder();
        statuses.forEach((name, status) -> text.append(text.isEmpty() ? "" : ", ")
                .append(name)
                .append(" is ")
                .append(status.state())
                .append(status.lastError() == null ? "" : " (" + status.lastError() + ")"));
        return text.toString();
    }
}
