package io.rollcall.registry.redis;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Makes connections at the first call: to load the client library and start its threads is not for the application's start to wait for. */
final class LazyConnections {

    private final Supplier<OwnConnections> create;

    private @Nullable OwnConnections connections;

    private boolean closed;

    LazyConnections(Supplier<OwnConnections> create) {
        this.create = create;
    }

    synchronized OwnConnections get() {
        if (closed) {
            throw new IllegalStateException("the connections to Redis are closed");
        }
        if (connections == null) {
            connections = create.get();
        }
        return connections;
    }

    void close() {
        OwnConnections toClose;
        synchronized (this) {
            toClose = closed ? null : connections;
            closed = true;
        }
        if (toClose != null) {
            toClose.close();
        }
    }
}
