package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.common.remote.client.Connection;
import com.alibaba.nacos.common.remote.client.grpc.GrpcClientConfig;
import com.alibaba.nacos.common.remote.client.grpc.GrpcSdkClient;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Nacos's client, which this makes stay closed: closed while it reconnects, it would go on with the new connection for ever. It also has
 * one thread for answers instead of several per processor.
 */
final class ClosableClient extends GrpcSdkClient {

    private static final long IDLE_SECONDS = 10;

    private final String threadPrefix;

    private final Consumer<Connection> greeting;

    private volatile boolean closed;

    private volatile @Nullable Connection latest;

    /**
     * @param greeting what to do on every new connection before the previous one is ended; must not throw
     */
    ClosableClient(GrpcClientConfig config, String threadPrefix, Consumer<Connection> greeting) {
        super(config);
        this.threadPrefix = threadPrefix;
        this.greeting = greeting;
    }

    @Override
    public @Nullable Connection connectToServer(ServerInfo server) {
        Connection connection = closed ? null : super.connectToServer(server);
        latest = connection;
        if (connection != null && !closed) {
            greeting.accept(connection);
        }
        if (closed) {
            close();
            return null;
        }
        return connection;
    }

    /** The id of the connection that requests are made on, or null if there is none. */
    @Nullable
    String connectionId() {
        Connection connection = currentConnection;
        return connection == null || !isRunning() ? null : connection.getConnectionId();
    }

    @Override
    protected ThreadPoolExecutor createGrpcExecutor(String server) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory(threadPrefix + "-grpc-");
        threads.setDaemon(true);
        ThreadPoolExecutor executor =
                new ThreadPoolExecutor(1, 1, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
        executor.allowCoreThreadTimeOut(true);
        // The client ends the executor before gRPC has ended its calls. Rejected, that would end up as stack traces on
        // standard error, some at every attempt to reconnect.
        executor.setRejectedExecutionHandler((task, ended) -> task.run());
        return executor;
    }

    /** Ends the connection, at which the server forgets what was registered on it. Waits for nothing. */
    void close() {
        closed = true;
        try {
            shutdown();
        } catch (NacosException ex) {
            throw new IllegalStateException(ex);
        }
        Connection connection = latest;
        if (connection != null) {
            connection.close();
        }
    }
}
