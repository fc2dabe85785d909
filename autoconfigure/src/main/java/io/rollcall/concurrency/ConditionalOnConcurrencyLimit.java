package io.rollcall.concurrency;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Conditional;

/** Rollcall is on and some concurrency limit is set. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ConditionalOnBooleanProperty(name = "rollcall.enabled", matchIfMissing = true)
@Conditional(OnConcurrencyLimitCondition.class)
@interface ConditionalOnConcurrencyLimit {}
