package io.rollcall.registry.nacos;

import io.rollcall.registry.LogLimits;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;

/**
 * Keeps tokens out of the log: Nacos's client prints requests that fail, at level ERROR, with the token that goes with them, and its
 * gRPC prints all that it sends, at level DEBUG.
 */
final class TokenLogging {

    static final String CLIENT = "com.alibaba.nacos.common.remote.client";

    private static final String FRAMES =
            "com.alibaba.nacos.shaded.io.grpc.netty.shaded.io.grpc.netty.NettyClientHandler";

    private TokenLogging() {}

    static void prevent(BeanFactory beanFactory) {
        LogLimits.set(beanFactory, LogLevel.OFF, CLIENT);
        LogLimits.set(beanFactory, LogLevel.INFO, FRAMES);
    }
}
