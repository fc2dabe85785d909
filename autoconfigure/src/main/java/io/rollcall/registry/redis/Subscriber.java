package io.rollcall.registry.redis;

import io.rollcall.registry.Resolver.WatchListener;
import java.util.concurrent.atomic.AtomicBoolean;

/** A listener to a channel, until its watch ends. */
final class Subscriber {

    private final String channel;

    private final WatchListener listener;

    private final AtomicBoolean ended = new AtomicBoolean();

    Subscriber(String channel, WatchListener listener) {
        this.channel = channel;
        this.listener = listener;
    }

    String channel() {
        return channel;
    }

    void changed() {
        if (!ended.get()) {
            listener.changed();
        }
    }

    void lost(Exception cause) {
        if (end()) {
            listener.lost(cause);
        }
    }

    /** Tells nothing more. Whether it had not ended before. */
    boolean end() {
        return ended.compareAndSet(false, true);
    }
}
