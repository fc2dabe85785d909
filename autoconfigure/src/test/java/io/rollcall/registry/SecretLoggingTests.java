package io.rollcall.registry;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

class SecretLoggingTests {

    private static final String LOGGER = "io.rollcall.test.talkative";

    private final LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());

    @AfterEach
    void reset() {
        logging.setLogLevel(LOGGER, null);
        logging.setLogLevel("io.rollcall.test", null);
    }

    @Test
    void whatIsMoreTalkativeIsQuietened() {
        logging.setLogLevel("io.rollcall.test", LogLevel.TRACE);

        limit(LogLevel.DEBUG);

        assertThat(level()).isEqualTo(LogLevel.DEBUG);
    }

    @Test
    void whatIsQuieterStaysSo() {
        logging.setLogLevel("io.rollcall.test", LogLevel.ERROR);

        limit(LogLevel.INFO);

        assertThat(level()).isEqualTo(LogLevel.ERROR);
    }

    @Test
    void whatIsSetLaterForAllDoesNotCount() {
        logging.setLogLevel("io.rollcall.test", LogLevel.WARN);
        limit(LogLevel.INFO);

        logging.setLogLevel("io.rollcall.test", LogLevel.TRACE);

        assertThat(level()).isEqualTo(LogLevel.WARN);
    }

    private void limit(LogLevel level) {
        DefaultListableBeanFactory beans = new DefaultListableBeanFactory();
        beans.registerSingleton("loggingSystem", logging);
        SecretLogging.limit(beans, LOGGER, level);
    }

    private LogLevel level() {
        return logging.getLoggerConfiguration(LOGGER).getEffectiveLevel();
    }
}
