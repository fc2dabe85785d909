package io.rollcall.discovery;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Whether last known lists are to be kept on disk. An empty property is as good as none: it often comes from an unset variable. */
final class OnSnapshotDirectoryCondition extends SpringBootCondition {

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        ConditionMessage.Builder message = ConditionMessage.forCondition("Snapshot on disk");
        return StringUtils.hasText(context.getEnvironment().getProperty(SnapshotFile.PROPERTY))
                ? ConditionOutcome.match(message.because("'" + SnapshotFile.PROPERTY + "' is set"))
                : ConditionOutcome.noMatch(message.because("'" + SnapshotFile.PROPERTY + "' is not set"));
    }
}
