package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.grpc.auto.RequestGrpc;
import com.alibaba.nacos.common.remote.client.Connection;
import com.alibaba.nacos.common.remote.client.grpc.GrpcClientConfig;
import com.alibaba.nacos.common.remote.client.grpc.GrpcSdkClient;
import com.alibaba.nacos.shaded.io.grpc.ManagedChannel;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Nacos's client, which this makes stay closed: closed while it reconnects, it would go on with the new connection for ever. It also ends
 * the channels of connections that come to nothing, and has one thread for answers instead of several per processor.
 */
final class ClosableClient extends GrpcSdkClient {

    private static final Log logger = LogFactory.getLog(ClosableClient.class);

    private static final long IDLE_SECONDS = 10;

    private final String threadPrefix;

    private final Consumer<Connection> greeting;

    private volatile boolean closed;

    /** The one that was opened last, be there a connection on it already or not. */
    private volatile @Nullable ManagedChannel channel;

    /**
     * @param greeting what to do on every new connection before the previous one is ended; must not throw
     */
    ClosableClient(GrpcClientConfig config, String threadPrefix, Consumer<Connection> greeting) {
        super(config);
        this.threadPrefix = threadPrefix;
        this.greeting = greeting;
    }

    @Override
    protected RequestGrpc.RequestFutureStub createNewChannelStub(ManagedChannel opened) {
        channel = opened;
        return super.createNewChannelStub(opened);
    }

    @Override
    public @Nullable Connection connectToServer(ServerInfo server) {
        Connection connection = closed ? null : super.connectToServer(server);
        if (connection == null) {
            // The library forgets the channel if it is interrupted, and if the server does not introduce itself.
            closeChannel();
        } else if (!closed) {
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
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> watched(threads.newThread(task)),
                // The library ends this before the channels that use it: their last tasks, which only say that calls
                // are cancelled, are done by whoever has them.
                (task, ended) -> task.run());
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    private static Thread watched(Thread thread) {
        thread.setUncaughtExceptionHandler((ended, failure) -> {
            if (failure instanceof IllegalStateException) {
                // How gRPC reports to nobody that a call was cancelled in the moment of its start.
                logger.debug("A call was given up", failure);
            } else {
                logger.error("Unexpected failure in " + ended.getName(), failure);
            }
        });
        return thread;
    }

    /** Ends the connection, at which the server forgets what was registered on it. Waits for nothing. */
    void close() {
        closed = true;
        try {
            shutdown();
        } catch (NacosException ex) {
            throw new IllegalStateException(ex);
        }
        closeChannel();
    }

    private void closeChannel() {
        ManagedChannel opened = channel;
        if (opened != null) {
            opened.shutdownNow();
        }
    }
}
