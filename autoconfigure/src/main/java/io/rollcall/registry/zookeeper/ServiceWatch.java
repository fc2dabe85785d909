package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;

/**
 * Turns ZooKeeper's events into those of a watch. The client sets it again by itself when a session has a new connection, before
 * anything is read there; it ends with its session.
 */
final class ServiceWatch implements Watch, Watcher {

    private final WatchListener listener;

    private final Consumer<ServiceWatch> release;

    private final AtomicBoolean closed = new AtomicBoolean();

    private final AtomicBoolean ended = new AtomicBoolean();

    ServiceWatch(WatchListener listener, Consumer<ServiceWatch> release) {
        this.listener = listener;
        this.release = release;
    }

    @Override
    public void process(WatchedEvent event) {
        if (closed.get() || ended.get()) {
            return;
        }
        switch (event.getState()) {
            case Expired, Closed, AuthFailed -> end("state of its session " + event.getState());
            case SyncConnected, ConnectedReadOnly -> {
                if (event.getType() == Event.EventType.PersistentWatchRemoved) {
                    end("it was removed by another user of the connection");
                } else {
                    listener.changed();
                }
            }
            default -> {
                // Disconnected: a new connection or the end of the session follows.
            }
        }
    }

    private void end(String reason) {
        if (ended.compareAndSet(false, true)) {
            listener.lost(new IOException("the watch at ZooKeeper has ended: " + reason));
        }
    }

    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            release.accept(this);
        }
    }
}
