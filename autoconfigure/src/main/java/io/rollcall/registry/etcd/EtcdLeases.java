package io.rollcall.registry.etcd;

import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseGrpc.LeaseBlockingStub;
import io.etcd.jetcd.api.LeaseKeepAliveRequest;
import io.etcd.jetcd.api.LeaseKeepAliveResponse;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.grpc.Channel;
import io.grpc.StatusRuntimeException;
import io.grpc.stub.StreamObserver;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** Grants, renews and revokes leases. */
final class EtcdLeases {

    private final EtcdClient client;

    EtcdLeases(EtcdClient client) {
        this.client = client;
    }

    /**
     * Makes a lease.
     *
     * @param id its id, not 0: chosen by the caller, who can then revoke it even if the answer was lost
     * @param ttl rounded up to whole seconds; etcd makes it longer if it is shorter than its elections
     */
    void grant(long id, Duration ttl) throws Exception {
        LeaseGrantRequest request = LeaseGrantRequest.newBuilder()
                .setID(id)
                .setTTL(Math.max(1, ttl.plusMillis(999).toSeconds()))
                .build();
        client.call((channel, nanos) -> stub(channel, nanos).leaseGrant(request));
    }

    /**
     * Renews a lease once. etcd offers it as a stream only; one that is kept would have to be watched for its end, so that each
     * renewal has its own.
     *
     * @return whether there is still such a lease
     */
    boolean renew(long id) throws Exception {
        return client.call((channel, nanos) -> {
            FirstAnswer answer = new FirstAnswer();
            StreamObserver<LeaseKeepAliveRequest> requests = LeaseGrpc.newStub(channel)
                    .withDeadlineAfter(nanos, TimeUnit.NANOSECONDS)
                    .leaseKeepAlive(answer);
            requests.onNext(LeaseKeepAliveRequest.newBuilder().setID(id).build());
            try {
                return answer.get().getTTL() > 0;
            } finally {
                requests.onCompleted();
            }
        });
    }

    /** Ends a lease, and with it all keys that are bound to it then; a write under it that comes later fails. */
    void revoke(long id) throws Exception {
        client.call((channel, nanos) -> {
            try {
                return stub(channel, nanos)
                        .leaseRevoke(LeaseRevokeRequest.newBuilder().setID(id).build());
            } catch (StatusRuntimeException ex) {
                if (EtcdErrors.isNotFound(ex)) {
                    return id;
                }
                throw ex;
            }
        });
    }

    private static LeaseBlockingStub stub(Channel channel, long nanos) {
        return LeaseGrpc.newBlockingStub(channel).withDeadlineAfter(nanos, TimeUnit.NANOSECONDS);
    }

    /** Waits for the first answer of a stream, whose deadline ends the wait. A stream that ends without one has failed. */
    private static final class FirstAnswer implements StreamObserver<LeaseKeepAliveResponse> {

        private final CompletableFuture<LeaseKeepAliveResponse> answer = new CompletableFuture<>();

        LeaseKeepAliveResponse get() throws Exception {
            try {
                return answer.get();
            } catch (ExecutionException ex) {
                throw ex.getCause() instanceof Exception cause ? cause : ex;
            }
        }

        @Override
        public void onNext(LeaseKeepAliveResponse value) {
            answer.complete(value);
        }

        @Override
        public void onError(Throwable thrown) {
            answer.completeExceptionally(thrown);
        }

        @Override
        public void onCompleted() {
            answer.completeExceptionally(EtcdErrors.ended());
        }
    }
}
