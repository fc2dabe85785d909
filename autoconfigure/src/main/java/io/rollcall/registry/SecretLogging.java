package io.rollcall.registry;

import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/** Keeps passwords and tokens out of the log where a client library prints what it sends. */
public final class SecretLogging {

    private SecretLogging() {}

    /**
     * Makes a logger say no more than a level allows, even if the application has set a more talkative one, or sets one for many
     * loggers while it runs: the level is set in any case. Only who names this very logger can undo it.
     *
     * @param beanFactory has the application's logging system
     * @param logger the logger that prints secrets
     * @param level the most talkative level at which it prints none
     */
    public static void limit(BeanFactory beanFactory, String logger, LogLevel level) {
        // Logging systems tell the effective level of loggers that exist.
        LogFactory.getLog(logger);
        beanFactory.getBeanProvider(LoggingSystem.class).ifAvailable(logging -> {
            LoggerConfiguration configuration = logging.getLoggerConfiguration(logger);
            LogLevel effective = configuration == null ? null : configuration.getEffectiveLevel();
            logging.setLogLevel(logger, effective == null || effective.compareTo(level) < 0 ? level : effective);
        });
    }
}
