package io.rollcall.registry.etcd;

import io.grpc.ConnectivityState;
import io.grpc.ManagedChannel;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One host and the channel to it. A channel that could not connect waits ever longer until it tries again: it is thrown away, so
 * that who calls decides when. Thread-safe.
 */
final class EtcdHost {

    private final String name;

    private final Supplier<ManagedChannel> connect;

    private @Nullable ManagedChannel channel;

    private boolean closed;

    /**
     * @param name host and port
     * @param connect makes a channel, without waiting for its connection
     */
    EtcdHost(String name, Supplier<ManagedChannel> connect) {
        this.name = name;
        this.connect = connect;
    }

    synchronized ManagedChannel channel() {
        if (closed) {
            throw new IllegalStateException("the connections to etcd are closed");
        }
        ManagedChannel current = channel;
        if (current != null && current.getState(false) == ConnectivityState.TRANSIENT_FAILURE) {
            current.shutdownNow();
            current = null;
        }
        if (current == null) {
            current = connect.get();
            channel = current;
        }
        return current;
    }

    /** Ends all calls. The channel that ends, or null if there is none. */
    synchronized @Nullable ManagedChannel close() {
        closed = true;
        ManagedChannel ending = channel;
        channel = null;
        return ending == null ? null : ending.shutdownNow();
    }

    @Override
    public String toString() {
        return name;
    }
}
