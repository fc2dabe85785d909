package io.rollcall.registry.eureka;

import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** Keeps passwords out of the log: the JDK's HTTP client prints the headers of every request at level DEBUG. */
final class HeaderLogging {

    private static final String LOGGER = "sun.net.www.protocol.http.HttpURLConnection";

    private HeaderLogging() {}

    static void prevent(BeanFactory beanFactory) {
        if (LogFactory.getLog(LOGGER).isDebugEnabled()) {
            beanFactory
                    .getBeanProvider(LoggingSystem.class)
                    .ifAvailable(logging -> logging.setLogLevel(LOGGER, LogLevel.INFO));
        }
    }
}
