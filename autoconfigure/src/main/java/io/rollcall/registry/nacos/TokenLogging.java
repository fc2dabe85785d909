package io.rollcall.registry.nacos;

import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** Keeps tokens out of the log: Nacos's client prints requests that fail, at level ERROR, with the token that goes with them. */
final class TokenLogging {

    static final String CLIENT_LOGGER = "com.alibaba.nacos.common.remote.client";

    private TokenLogging() {}

    static void prevent(BeanFactory beanFactory) {
        if (LogFactory.getLog(CLIENT_LOGGER).isErrorEnabled()) {
            beanFactory
                    .getBeanProvider(LoggingSystem.class)
                    .ifAvailable(logging -> logging.setLogLevel(CLIENT_LOGGER, LogLevel.OFF));
        }
    }
}
