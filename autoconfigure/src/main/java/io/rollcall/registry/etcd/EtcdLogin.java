package io.rollcall.registry.etcd;

import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthenticateRequest;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.StatusRuntimeException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Who we are: logs in at the first call, and again when etcd has forgotten the token. Thread-safe. */
final class EtcdLogin {

    private static final Metadata.Key<String> TOKEN = Metadata.Key.of("token", Metadata.ASCII_STRING_MARSHALLER);

    private final @Nullable String username;

    private final @Nullable String password;

    private volatile @Nullable Session current;

    EtcdLogin(@Nullable String username, @Nullable String password) {
        this.username = username;
        this.password = password;
    }

    boolean isRequired() {
        return username != null;
    }

    /** The session to call in; a new one if there is none. */
    Session session(Channel channel, long nanos) {
        Session session = current;
        if (session == null) {
            session = new Session(token(channel, nanos));
            current = session;
        }
        return session;
    }

    private @Nullable String token(Channel channel, long nanos) {
        if (username == null || password == null) {
            return null;
        }
        try {
            return AuthGrpc.newBlockingStub(channel)
                    .withDeadlineAfter(nanos, TimeUnit.NANOSECONDS)
                    .authenticate(AuthenticateRequest.newBuilder()
                            .setName(username)
                            .setPassword(password)
                            .build())
                    .getToken();
        } catch (StatusRuntimeException ex) {
            if (EtcdErrors.isAuthenticationDisabled(ex)) {
                return null;
            }
            throw ex;
        }
    }

    /** The next call logs in anew, unless another has done so since. */
    synchronized void forget(Session session) {
        if (current == session) {
            current = null;
        }
    }

    /** Adds the token to calls. Told apart by identity. */
    static final class Session implements ClientInterceptor {

        private final @Nullable String token;

        private Session(@Nullable String token) {
            this.token = token;
        }

        @Override
        public <Q, A> ClientCall<Q, A> interceptCall(MethodDescriptor<Q, A> method, CallOptions options, Channel next) {
            if (token == null) {
                return next.newCall(method, options);
            }
            return new SimpleForwardingClientCall<>(next.newCall(method, options)) {
                @Override
                public void start(Listener<A> listener, Metadata headers) {
                    headers.put(TOKEN, token);
                    super.start(listener, headers);
                }
            };
        }
    }
}
