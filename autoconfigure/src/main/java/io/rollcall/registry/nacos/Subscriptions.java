package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.naming.remote.request.NotifySubscriberRequest;
import com.alibaba.nacos.api.naming.remote.response.NotifySubscriberResponse;
import com.alibaba.nacos.api.remote.request.Request;
import com.alibaba.nacos.api.remote.response.Response;
import com.alibaba.nacos.common.remote.client.Connection;
import com.alibaba.nacos.common.remote.client.ConnectionEventListener;
import com.alibaba.nacos.common.remote.client.ServerRequestHandler;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who watches which service, by the names in Nacos. The server knows of a service's subscription once, and forgets it with the
 * connection. Thread-safe; listeners are called outside of the lock.
 */
final class Subscriptions implements NacosConnection.Role, ServerRequestHandler, ConnectionEventListener {

    private final Map<String, Set<WatchListener>> listeners = new HashMap<>();

    private final Set<String> abandoned = new HashSet<>();

    @Override
    public void prepare(ClosableClient client) {
        client.registerConnectionListener(this);
        client.registerServerRequestHandler(this);
    }

    /** Adds a listener, whom the server's subscription has yet to be made for. */
    synchronized Watch add(String service, WatchListener listener) {
        // Two watches may have the same listener.
        WatchListener own = new WatchListener() {

            @Override
            public void changed() {
                listener.changed();
            }

            @Override
            public void lost(Exception cause) {
                listener.lost(cause);
            }
        };
        listeners.computeIfAbsent(service, name -> new HashSet<>()).add(own);
        abandoned.remove(service);
        return () -> remove(service, own);
    }

    private synchronized void remove(String service, WatchListener listener) {
        Set<WatchListener> remaining = listeners.get(service);
        if (remaining != null && remaining.remove(listener) && remaining.isEmpty()) {
            listeners.remove(service);
            abandoned.add(service);
        }
    }

    /** Takes a service that nobody watches any more, and that the server still has a subscription of. */
    synchronized @Nullable String takeAbandoned() {
        for (String service : abandoned) {
            abandoned.remove(service);
            return service;
        }
        return null;
    }

    @Override
    public @Nullable Response requestReply(Request request, Connection connection) {
        if (!(request instanceof NotifySubscriberRequest notification)) {
            return null;
        }
        List<WatchListener> told;
        synchronized (this) {
            told = List.copyOf(
                    listeners.getOrDefault(notification.getServiceInfo().getName(), Set.of()));
        }
        told.forEach(WatchListener::changed);
        return new NotifySubscriberResponse();
    }

    @Override
    public void onConnected(Connection connection) {
        // What has been subscribed to before is told to be lost by the end of the connection that it was made on.
    }

    /** Comes when a new connection has taken the place of the old one. */
    @Override
    public void onDisConnect(Connection connection) {
        lost();
    }

    @Override
    public void lost() {
        List<WatchListener> told = new ArrayList<>();
        synchronized (this) {
            listeners.values().forEach(told::addAll);
            listeners.clear();
            abandoned.clear();
        }
        IOException cause = new IOException("the connection to Nacos was lost, and the subscription with it");
        told.forEach(listener -> listener.lost(cause));
    }
}
