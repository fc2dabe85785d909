package io.rollcall.registry;

import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggerConfiguration;
import org.springframework.boot.logging.LoggingSystem;

/**
 * Keeps secrets out of the log where a client library prints what it sends: its loggers are never more talkative than is safe, not even
 * when the level of all loggers is changed while the application runs. Only who names such a logger itself can undo that.
 */
public final class LogLimits {

    private LogLimits() {}

    /**
     * Limits loggers, if the application logs by Spring Boot's means.
     *
     * @param beanFactory where Spring Boot's logging system may be
     * @param limit the most talkative level that is safe
     * @param loggers names of loggers
     */
    public static void set(BeanFactory beanFactory, LogLevel limit, String... loggers) {
        beanFactory.getBeanProvider(LoggingSystem.class).ifAvailable(logging -> {
            for (String logger : loggers) {
                logging.setLogLevel(logger, stricter(limit, logging.getLoggerConfiguration(logger)));
            }
        });
    }

    private static LogLevel stricter(LogLevel limit, @Nullable LoggerConfiguration present) {
        return present != null && present.getEffectiveLevel().compareTo(limit) > 0
                ? present.getEffectiveLevel()
                : limit;
    }
}
