package io.rollcall.autoconfigure;

import io.rollcall.InvalidConfigurationException;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows an {@link InvalidConfigurationException} as Spring Boot shows its own. */
final class InvalidConfigurationFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> {

    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidConfigurationException cause) {
        StringBuilder description =
                new StringBuilder("Property '").append(cause.getProperty()).append("' is invalid:\n");
        if (cause.getValue() != null) {
            description.append("\n    Value: \"").append(cause.getValue()).append('"');
        }
        description.append("\n    Reason: ").append(cause.getReason());
        return new FailureAnalysis(description.toString(), cause.getRemedy(), cause);
    }
}
