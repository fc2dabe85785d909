package io.rollcall.servers.nacos;

import io.grpc.ServerBuilder;
import io.grpc.ServerProvider;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** Nacos opens its gRPC ports on every interface; a test's server is nobody else's. */
public final class LoopbackServerProvider extends ServerProvider {

    private static final int ABOVE_THE_DEFAULT = 10;

    @Override
    protected boolean isAvailable() {
        return true;
    }

    @Override
    protected int priority() {
        return ABOVE_THE_DEFAULT;
    }

    @Override
    protected ServerBuilder<?> builderForPort(int port) {
        return NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }
}
