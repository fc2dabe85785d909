package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.common.Constants;
import com.alibaba.nacos.api.exception.NacosException;
import com.alibaba.nacos.api.remote.RemoteConstants;
import com.alibaba.nacos.api.remote.request.Request;
import com.alibaba.nacos.api.remote.response.Response;
import com.alibaba.nacos.common.remote.client.Connection;
import com.alibaba.nacos.common.remote.client.grpc.DefaultGrpcClientConfig;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * One connection to Nacos, begun by the first call and made again by the client library whenever it was lost. What is registered on it,
 * and what is subscribed to, ends with it: {@link #id} tells one from the next.
 */
final class NacosConnection {

    private static final Set<Integer> REFUSALS =
            Set.of(NacosException.NO_RIGHT, NacosException.INVALID_PARAM, NacosException.CLIENT_INVALID_PARAM);

    private final String threadPrefix;

    private final List<String> servers;

    private final NacosLogin login;

    private final int timeoutMillis;

    private final Role role;

    private @Nullable ClosableClient client;

    private boolean troubled;

    private boolean closed;

    /** What a connection is for. */
    interface Role {

        /** Sets up the client before it connects. */
        default void prepare(ClosableClient client) {}

        /** Uses a new connection before the previous one is ended, so that nobody notices the change. */
        default void greet(Greeter connection) {}

        /** What was subscribed to on a connection is lost. */
        default void lost() {}
    }

    /** A new connection. */
    interface Greeter {

        String id();

        /** Makes a request on this connection. */
        void request(Request request) throws Exception;
    }

    NacosConnection(String threadPrefix, List<String> servers, NacosLogin login, Registry.Timing timing, Role role) {
        this.threadPrefix = threadPrefix;
        this.servers = servers;
        this.login = login;
        this.timeoutMillis = (int) Math.min(Integer.MAX_VALUE, timing.timeout().toMillis());
        this.role = role;
    }

    /** Connects if this is the first call, and anew if the client has not managed to since the last one: it takes ever longer breaks. */
    private ClosableClient started() throws NacosException {
        ClosableClient before;
        ClosableClient created;
        synchronized (this) {
            if (closed) {
                throw new IllegalStateException("the connection to Nacos is closed");
            }
            before = client;
            boolean wasTroubled = troubled;
            troubled = before != null && before.connectionId() == null;
            if (before != null && !(troubled && wasTroubled)) {
                return before;
            }
            created = create();
            if (before == null) {
                client = created;
            }
        }
        created.start();
        return before == null ? created : better(before, created);
    }

    /** The new client if it is connected, and else the one before: they must not both stay. */
    private ClosableClient better(ClosableClient before, ClosableClient created) {
        boolean connected = created.connectionId() != null;
        ClosableClient superfluous;
        synchronized (this) {
            boolean replaces = connected && !closed;
            superfluous = replaces ? before : created;
            if (replaces) {
                client = created;
                troubled = false;
            }
        }
        superfluous.close();
        if (superfluous == before) {
            role.lost();
            return created;
        }
        return before;
    }

    private ClosableClient create() {
        long timeout = timeoutMillis;
        ClosableClient created = new ClosableClient(
                DefaultGrpcClientConfig.newBuilder()
                        .setName(threadPrefix)
                        .setLabels(Map.of(
                                RemoteConstants.LABEL_SOURCE,
                                RemoteConstants.LABEL_SOURCE_SDK,
                                RemoteConstants.LABEL_MODULE,
                                RemoteConstants.LABEL_MODULE_NAMING,
                                Constants.APPNAME,
                                "rollcall"))
                        // Rollcall repeats calls itself.
                        .setRetryTimes(0)
                        .setTimeOutMills(timeout)
                        .setServerCheckTimeOut(timeout)
                        .setHealthCheckTimeOut(timeout)
                        .setCapabilityNegotiationTimeout(timeout)
                        .build(),
                threadPrefix,
                this::greet);
        created.serverListFactory(
                new NacosServers(servers, ThreadLocalRandom.current().nextInt(servers.size())));
        role.prepare(created);
        return created;
    }

    private void greet(Connection connection) {
        role.greet(new Greeter() {

            @Override
            public String id() {
                return connection.getConnectionId();
            }

            @Override
            public void request(Request request) throws Exception {
                check(connection.request(authorized(request, login.token()), timeoutMillis));
            }
        });
    }

    /**
     * The current connection's id.
     *
     * @throws IOException if there is none at the moment
     */
    String id() throws IOException, NacosException {
        String id = started().connectionId();
        if (id == null) {
            throw new IOException("not connected to " + String.join(",", servers));
        }
        return id;
    }

    /**
     * Makes a request.
     *
     * @throws RefusedException if the server does not permit it, or finds fault with it
     */
    <T extends Response> T request(Request request, Class<T> type) throws Exception {
        ClosableClient running = started();
        id();
        String token = login.token();
        try {
            try {
                return type.cast(send(running, request, token));
            } catch (NacosException ex) {
                if (ex.getErrCode() != NacosException.NO_RIGHT || !login.renew(token)) {
                    throw ex;
                }
                return type.cast(send(running, request, login.token()));
            }
        } catch (NacosException ex) {
            if (REFUSALS.contains(ex.getErrCode())) {
                throw new RefusedException("Nacos refuses this: " + ex.getErrMsg(), ex);
            }
            throw ex;
        }
    }

    private Response send(ClosableClient running, Request request, @Nullable String token) throws NacosException {
        return check(running.request(authorized(request, token), timeoutMillis));
    }

    private static Request authorized(Request request, @Nullable String token) {
        if (token != null) {
            request.putHeader(Constants.ACCESS_TOKEN, token);
        }
        return request;
    }

    private static Response check(Response response) throws NacosException {
        if (!response.isSuccess()) {
            throw new NacosException(response.getErrorCode(), response.getMessage());
        }
        return response;
    }

    /** Ends it for good; calling it again has no effect. */
    void close() {
        ClosableClient toClose;
        synchronized (this) {
            closed = true;
            toClose = client;
            client = null;
        }
        if (toClose != null) {
            toClose.close();
        }
    }
}
