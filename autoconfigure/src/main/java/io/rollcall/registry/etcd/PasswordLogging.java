package io.rollcall.registry.etcd;

import io.rollcall.registry.LogLimits;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;

/** Keeps passwords and tokens out of the log: at level DEBUG, gRPC prints all headers and data that it sends. */
final class PasswordLogging {

    private static final String FRAMES = "io.grpc.netty.NettyClientHandler";

    private PasswordLogging() {}

    static void prevent(BeanFactory beanFactory) {
        LogLimits.set(beanFactory, LogLevel.INFO, FRAMES);
    }
}
