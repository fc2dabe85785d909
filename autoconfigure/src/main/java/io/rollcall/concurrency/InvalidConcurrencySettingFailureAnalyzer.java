package io.rollcall.concurrency;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Tells which setting of the concurrency limit is wrong, and what to write instead. */
final class InvalidConcurrencySettingFailureAnalyzer
        extends AbstractFailureAnalyzer<InvalidConcurrencySettingException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConcurrencySettingException cause) {
        String description = "The property '" + cause.property() + "' has the value '" + cause.value()
                + "', which is invalid: " + cause.reason() + ".";
        return new FailureAnalysis(description, cause.remedy(), cause);
    }
}
