package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.naming.remote.NamingRemoteConstants;
import com.alibaba.nacos.api.naming.remote.request.InstanceRequest;
import com.alibaba.nacos.api.naming.remote.response.InstanceResponse;
import com.alibaba.nacos.api.remote.request.HealthCheckRequest;
import com.alibaba.nacos.api.remote.response.HealthCheckResponse;
import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Gives each instance a connection of its own, with which Nacos keeps it and forgets it. So a renewal only asks whether the connection
 * still is the one that the instance was registered on: registering again would have Nacos send the whole list to all who watch the
 * service. And to leave is to end the connection, after which nothing can bring the instance back.
 */
final class NacosRegistrar implements Registrar {

    private final Supplier<NacosConnection> connections;

    private final NacosSettings settings;

    private final InstanceCodec codec;

    private final Map<String, Membership> memberships = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /** An instance with its connection, and what was last confirmed on which one. Used by one thread at a time, except to close it. */
    private static final class Membership {

        private final NacosConnection connection;

        private @Nullable Instance registered;

        private @Nullable String on;

        private boolean left;

        Membership(NacosConnection connection) {
            this.connection = connection;
        }
    }

    NacosRegistrar(Supplier<NacosConnection> connections, NacosSettings settings, InstanceCodec codec) {
        this.connections = connections;
        this.settings = settings;
        this.codec = codec;
    }

    @Override
    public void checkServiceName(String service) {
        settings.names().inNacos(service);
    }

    @Override
    public void join(Instance instance) throws Exception {
        Membership membership = membership(instance);
        NacosConnection connection = membership.connection;
        String id = connection.id();
        if (instance.equals(membership.registered) && id.equals(membership.on)) {
            connection.request(new HealthCheckRequest(), HealthCheckResponse.class);
            if (id.equals(connection.id())) {
                return;
            }
            id = connection.id();
        }
        membership.on = null;
        connection.request(request(instance, NamingRemoteConstants.REGISTER_INSTANCE), InstanceResponse.class);
        membership.registered = instance;
        // The connection may have been replaced meanwhile: then the next renewal finds another id than this one.
        membership.on = id;
    }

    private Membership membership(Instance instance) {
        Membership membership = memberships.get(instance.id());
        if (membership == null || membership.left) {
            membership = new Membership(connections.get());
            memberships.put(instance.id(), membership);
            if (closed) {
                membership.connection.close();
            }
        }
        return membership;
    }

    @Override
    public void leave(Instance instance) throws Exception {
        Membership membership = memberships.get(instance.id());
        if (membership == null) {
            return;
        }
        if (membership.left) {
            confirm();
        } else {
            end(membership, instance);
        }
        memberships.remove(instance.id());
    }

    private void end(Membership membership, Instance instance) throws Exception {
        membership.left = true;
        try {
            membership.connection.request(
                    request(instance, NamingRemoteConstants.DE_REGISTER_INSTANCE), InstanceResponse.class);
        } finally {
            // Whatever of an earlier join is still under way, the server drops it with the connection.
            membership.connection.close();
        }
    }

    /** The connection is closed already, which a server that answers has noticed. */
    private void confirm() throws Exception {
        NacosConnection connection = connections.get();
        try {
            connection.request(new HealthCheckRequest(), HealthCheckResponse.class);
        } finally {
            connection.close();
        }
    }

    private InstanceRequest request(Instance instance, String type) throws RefusedException {
        String service;
        try {
            service = settings.names().inNacos(instance.service());
        } catch (IllegalArgumentException ex) {
            throw new RefusedException("Nacos can not hold this instance: " + ex.getMessage(), ex);
        }
        return new InstanceRequest(settings.namespace(), service, settings.group(), type, codec.write(instance));
    }

    /** Ends all connections. */
    void close() {
        closed = true;
        memberships.values().forEach(membership -> membership.connection.close());
    }
}
