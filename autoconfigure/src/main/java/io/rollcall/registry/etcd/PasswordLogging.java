package io.rollcall.registry.etcd;

import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;

/** Keeps passwords and tokens out of the log: at level DEBUG, gRPC prints all headers and data that it sends. */
final class PasswordLogging {

    private static final String FRAMES = "io.grpc.netty.NettyClientHandler";

    private PasswordLogging() {}

    static void prevent(BeanFactory beanFactory) {
        if (LogFactory.getLog(FRAMES).isDebugEnabled()) {
            beanFactory
                    .getBeanProvider(LoggingSystem.class)
                    .ifAvailable(logging -> logging.setLogLevel(FRAMES, LogLevel.INFO));
        }
    }
}
