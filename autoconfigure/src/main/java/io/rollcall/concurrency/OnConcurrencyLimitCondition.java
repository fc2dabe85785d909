package io.rollcall.concurrency;

import java.util.Map;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** Matches if any limit is set, the common one or a group's. */
final class OnConcurrencyLimitCondition extends SpringBootCondition {

    static final String MAX_CONCURRENCY = "rollcall.max-concurrency";
    static final String GROUPS = "rollcall.concurrency.groups";

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Concurrency limit");
        Environment environment = context.getEnvironment();
        if (environment.containsProperty(MAX_CONCURRENCY)) {
            return ConditionOutcome.match(message.found("property").items(MAX_CONCURRENCY));
        }
        if (Binder.get(environment)
                .bind(GROUPS, Bindable.mapOf(String.class, Object.class))
                .orElse(Map.of())
                .isEmpty()) {
            return ConditionOutcome.noMatch(message.didNotFind("property").items(MAX_CONCURRENCY));
        }
        return ConditionOutcome.match(message.found("property").items(GROUPS));
    }
}
