package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.naming.remote.request.InstanceRequest;
import com.alibaba.nacos.api.naming.remote.response.InstanceResponse;
import com.alibaba.nacos.api.remote.request.HealthCheckRequest;
import com.alibaba.nacos.api.remote.response.HealthCheckResponse;
import io.rollcall.registry.Instance;
import java.util.function.Function;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** One instance with the connection that keeps it. */
final class Membership implements NacosConnection.Role {

    private static final Log logger = LogFactory.getLog(Membership.class);

    private final NacosConnection connection;

    private volatile @Nullable Registration registration;

    /** The connection that the instance is known to be registered on. */
    private volatile @Nullable String on;

    private volatile boolean left;

    private record Registration(Instance instance, InstanceRequest request) {}

    Membership(Function<NacosConnection.Role, NacosConnection> connections) {
        this.connection = connections.apply(this);
    }

    void join(Instance instance, InstanceRequest request) throws Exception {
        Registration before = registration;
        String id = connection.id();
        if (before != null && before.instance().equals(instance) && id.equals(on)) {
            connection.request(new HealthCheckRequest(), HealthCheckResponse.class);
            if (connection.id().equals(on)) {
                return;
            }
            id = connection.id();
        }
        on = null;
        registration = new Registration(instance, request);
        connection.request(request, InstanceResponse.class);
        // If the connection has been replaced meanwhile, the next renewal finds another one than this.
        on = id;
    }

    /** A new connection takes over the instance before the old one ends: no reader misses it, and nothing is sent after the leave. */
    @Override
    public void greet(NacosConnection.Greeter next) {
        Registration current = registration;
        if (current == null || left) {
            return;
        }
        try {
            next.request(current.request());
            on = next.id();
        } catch (Exception ex) {
            logger.debug("Left to the next renewal", ex);
        }
    }

    void leave(InstanceRequest request) throws Exception {
        left = true;
        try {
            connection.request(request, InstanceResponse.class);
        } finally {
            // Whatever of an earlier join is still under way, the server drops it with the connection.
            connection.close();
        }
    }

    boolean isLeft() {
        return left;
    }

    void close() {
        connection.close();
    }
}
