package io.rollcall.registry.redis;

import io.rollcall.registry.LogLimits;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;

/** Keeps passwords out of the log: at level TRACE, one class of Lettuce prints every command, the one that logs in included. */
final class PasswordLogging {

    private static final String COMMANDS = "io.lettuce.core.protocol.CommandEncoder";

    private PasswordLogging() {}

    static void prevent(BeanFactory beanFactory) {
        LogLimits.set(beanFactory, LogLevel.INFO, COMMANDS);
    }
}
