package io.rollcall.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.InvalidConfigurationException;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** What a user is shown when the start fails. */
public final class FailureAnalyses {

    private FailureAnalyses() {}

    /** The analysis of a start that failed for an invalid property. */
    public static FailureAnalysis of(Throwable failure) {
        assertThat(failure).isNotNull();
        Throwable cause = failure;
        while (!(cause instanceof InvalidConfigurationException)) {
            assertThat(cause.getCause()).as("an InvalidConfigurationException").isNotNull();
            cause = cause.getCause();
        }
        return new InvalidConfigurationFailureAnalyzer().analyze(failure);
    }
}
