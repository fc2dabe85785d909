package io.rollcall.registry.redis;

import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** Keeps passwords out of the log: at level TRACE, one class of Lettuce prints every command, the one that logs in included. */
final class PasswordLogging {

    private static final String COMMAND_LOGGER = "io.lettuce.core.protocol.CommandEncoder";

    private PasswordLogging() {}

    static void prevent(BeanFactory beanFactory) {
        if (LogFactory.getLog(COMMAND_LOGGER).isTraceEnabled()) {
            beanFactory
                    .getBeanProvider(LoggingSystem.class)
                    .ifAvailable(logging -> logging.setLogLevel(COMMAND_LOGGER, LogLevel.DEBUG));
        }
    }
}
