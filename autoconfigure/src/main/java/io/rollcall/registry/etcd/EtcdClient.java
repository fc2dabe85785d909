package io.rollcall.registry.etcd;

import io.grpc.Channel;
import io.grpc.ClientInterceptors;
import io.grpc.StatusRuntimeException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.StringJoiner;

/**
 * Calls etcd: each call goes to the host that answered last, then to the others in turn, all within one time limit. Used by the two
 * threads of a registry, and thread-safe.
 */
final class EtcdClient {

    private final List<EtcdHost> hosts;

    private final EtcdLogin login;

    private final long timeout;

    private volatile int current;

    EtcdClient(List<EtcdHost> hosts, EtcdLogin login, Duration timeout) {
        this.hosts = hosts;
        this.login = login;
        this.timeout = timeout.toNanos();
    }

    /** Something to ask of one host. */
    @FunctionalInterface
    interface Request<T> {

        /**
         * Asks it.
         *
         * @param channel to the host, as the user that is logged in
         * @param nanos how long this may take
         */
        T send(Channel channel, long nanos) throws Exception;
    }

    /**
     * Asks one host after the other until one answers.
     *
     * @throws io.rollcall.registry.RefusedException if the user may not do that, or is none
     * @throws Exception if nobody answers, or an answer is an error
     */
    <T> T call(Request<T> request) throws Exception {
        long end = System.nanoTime() + timeout;
        int first = current;
        StringJoiner silent = new StringJoiner("; ", "etcd does not answer: ", "");
        StatusRuntimeException last = null;
        for (int i = 0; i < hosts.size(); i++) {
            int index = (first + i) % hosts.size();
            EtcdHost host = hosts.get(index);
            try {
                T answer = ask(host, request, (end - System.nanoTime()) / (hosts.size() - i));
                current = index;
                return answer;
            } catch (StatusRuntimeException ex) {
                if (!EtcdErrors.isSilence(ex) || Thread.currentThread().isInterrupted()) {
                    throw EtcdErrors.explain(ex);
                }
                silent.add(host + ": " + EtcdErrors.reason(ex));
                last = ex;
            }
        }
        throw new IOException(silent.toString(), last);
    }

    private <T> T ask(EtcdHost host, Request<T> request, long nanos) throws Exception {
        Channel channel = host.channel();
        EtcdLogin.Session session = login.session(channel, nanos);
        try {
            return request.send(ClientInterceptors.intercept(channel, session), nanos);
        } catch (StatusRuntimeException ex) {
            if (!EtcdErrors.isLoggedOut(ex) || !login.isRequired()) {
                throw ex;
            }
            login.forget(session);
            return request.send(ClientInterceptors.intercept(channel, login.session(channel, nanos)), nanos);
        }
    }
}
