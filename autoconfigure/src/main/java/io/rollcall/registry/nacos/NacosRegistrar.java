package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.naming.remote.NamingRemoteConstants;
import com.alibaba.nacos.api.naming.remote.request.InstanceRequest;
import com.alibaba.nacos.api.remote.request.HealthCheckRequest;
import com.alibaba.nacos.api.remote.response.HealthCheckResponse;
import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Swoole;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Gives each instance a connection of its own, with which Nacos keeps it and forgets it. So a renewal only asks whether the connection
 * still is the one that the instance was registered on: registering again would have Nacos send the whole list to all who watch the
 * service. And to leave is to end the connection, after which nothing can bring the instance back.
 */
final class NacosRegistrar implements Registrar {

    private final Function<NacosConnection.Role, NacosConnection> connections;

    private final NacosSettings settings;

    private final InstanceCodec codec;

    private final Map<String, Membership> memberships = new ConcurrentHashMap<>();

    private volatile boolean closed;

    NacosRegistrar(
            Function<NacosConnection.Role, NacosConnection> connections, NacosSettings settings, InstanceCodec codec) {
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
        InstanceRequest registration = registration(instance);
        membership(instance).join(instance, registration);
    }

    private Membership membership(Instance instance) {
        Membership membership = memberships.get(instance.id());
        if (membership == null || membership.isLeft()) {
            membership = new Membership(connections);
            memberships.put(instance.id(), membership);
            if (closed) {
                membership.close();
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
        if (membership.isLeft()) {
            confirm();
        } else {
            membership.leave(request(instance, NamingRemoteConstants.DE_REGISTER_INSTANCE));
        }
        memberships.remove(instance.id());
    }

    /** The connection is closed already, which a server that answers has noticed. */
    private void confirm() throws Exception {
        NacosConnection connection = connections.apply(new NacosConnection.Role() {});
        try {
            connection.request(new HealthCheckRequest(), HealthCheckResponse.class);
        } finally {
            connection.close();
        }
    }

    private InstanceRequest registration(Instance instance) throws RefusedException {
        if (settings.names().swoole()) {
            Swoole.check(instance);
        }
        return request(instance, NamingRemoteConstants.REGISTER_INSTANCE);
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
        memberships.values().forEach(Membership::close);
    }
}
