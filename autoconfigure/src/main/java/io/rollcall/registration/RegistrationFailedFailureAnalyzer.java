package io.rollcall.registration;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Explains a start that {@code rollcall.registration.fail-fast} made fail. */
final class RegistrationFailedFailureAnalyzer extends AbstractFailureAnalyzer<RegistrationFailedException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, RegistrationFailedException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Start the registry, correct 'rollcall.registries.<name>.url', take it out of"
                        + " 'rollcall.registration.required', or set 'rollcall.registration.fail-fast' to false to start"
                        + " without it and register as soon as it is there.",
                cause);
    }
}
