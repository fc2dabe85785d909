package io.rollcall.registry.etcd;

import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.rollcall.registry.RegistryUrl.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * The connections of one registry: one to each host that is used, on one thread for I/O and up to two for what comes of it. Nothing is
 * made before the first call.
 */
final class EtcdConnections {

    /** etcd ends connections whose pings follow each other in less than 5 s, unless told otherwise. */
    private static final Duration PING = Duration.ofSeconds(10);

    private static final Duration MAX_CLOSE = Duration.ofSeconds(1);

    private final String registry;

    private final Duration timeout;

    private final @Nullable SslContext tls;

    private final List<EtcdHost> hosts;

    private @Nullable Threads threads;

    private boolean closed;

    private record Threads(EventLoopGroup io, ThreadPoolExecutor work) {}

    EtcdConnections(String registry, List<Endpoint> endpoints, Duration timeout, @Nullable SslContext tls) {
        this.registry = registry;
        this.timeout = timeout;
        this.tls = tls;
        this.hosts = endpoints.stream()
                .map(endpoint -> new EtcdHost(endpoint.toString(endpoint.port()), () -> connect(endpoint)))
                .toList();
    }

    List<EtcdHost> hosts() {
        return hosts;
    }

    private ManagedChannel connect(Endpoint endpoint) {
        Threads own = threads();
        String host = endpoint.host().indexOf(':') >= 0 ? "[" + endpoint.host() + "]" : endpoint.host();
        NettyChannelBuilder builder = NettyChannelBuilder.forAddress(host, endpoint.port())
                .eventLoopGroup(own.io)
                .channelType(NioSocketChannel.class)
                .withOption(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(timeout.toMillis()))
                .executor(own.work)
                .offloadExecutor(own.work)
                .disableServiceConfigLookUp()
                .disableRetry()
                // A watch sends nothing by itself: without pings it would never notice that its peer has vanished.
                .keepAliveTime(PING.toNanos(), TimeUnit.NANOSECONDS)
                .keepAliveTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
        return (tls == null ? builder.usePlaintext() : builder.sslContext(tls)).build();
    }

    private synchronized Threads threads() {
        if (closed) {
            throw new IllegalStateException("the connections to etcd are closed");
        }
        if (threads == null) {
            ThreadPoolExecutor work =
                    new ThreadPoolExecutor(2, 2, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons("watch"));
            work.allowCoreThreadTimeOut(true);
            threads = new Threads(new MultiThreadIoEventLoopGroup(1, daemons("io"), NioIoHandler.newFactory()), work);
        }
        return threads;
    }

    private ThreadFactory daemons(String role) {
        CustomizableThreadFactory factory = new CustomizableThreadFactory("rollcall-" + registry + "-" + role + "-");
        factory.setDaemon(true);
        return factory;
    }

    /** Ends everything; waits a moment for the channels, whose end needs the threads. */
    void close() {
        Threads ending;
        synchronized (this) {
            closed = true;
            ending = threads;
            threads = null;
        }
        List<ManagedChannel> channels =
                hosts.stream().map(EtcdHost::close).filter(Objects::nonNull).toList();
        if (ending == null) {
            return;
        }
        try {
            long end = System.nanoTime() + MAX_CLOSE.toNanos();
            for (ManagedChannel channel : channels) {
                channel.awaitTermination(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } finally {
            ending.io.shutdownGracefully(0, MAX_CLOSE.toMillis(), TimeUnit.MILLISECONDS);
            ending.work.shutdown();
        }
    }
}
