package io.rollcall.registry.eureka;

import io.rollcall.registry.LogLimits;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;

/** Keeps passwords out of the log: the JDK's HTTP client prints the headers of every request at level DEBUG. */
final class HeaderLogging {

    private static final String HEADERS = "sun.net.www.protocol.http.HttpURLConnection";

    private HeaderLogging() {}

    static void prevent(BeanFactory beanFactory) {
        LogLimits.set(beanFactory, LogLevel.INFO, HEADERS);
    }
}
