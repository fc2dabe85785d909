package io.rollcall.registry.etcd;

import io.etcd.jetcd.api.WatchCreateRequest;
import io.etcd.jetcd.api.WatchGrpc;
import io.etcd.jetcd.api.WatchRequest;
import io.etcd.jetcd.api.WatchResponse;
import io.grpc.Channel;
import io.grpc.Metadata;
import io.grpc.Status;
import io.grpc.stub.ClientCallStreamObserver;
import io.grpc.stub.ClientResponseObserver;
import io.grpc.stub.MetadataUtils;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One watch, which is one stream. It begins with the present revision, before the list is read, and ends with its stream, however that
 * ends: the next one comes with a full list again, so that no revision has to be remembered, nor can have been compacted away.
 */
final class ServiceWatch implements Watch, ClientResponseObserver<WatchRequest, WatchResponse> {

    /** Makes a member that has lost its cluster end the stream, instead of staying silent. */
    private static final Metadata.Key<String> REQUIRE_LEADER =
            Metadata.Key.of("hasleader", Metadata.ASCII_STRING_MARSHALLER);

    private final WatchListener listener;

    private final CompletableFuture<@Nullable Void> created = new CompletableFuture<>();

    private final AtomicBoolean ended = new AtomicBoolean();

    private volatile @Nullable ClientCallStreamObserver<WatchRequest> requests;

    private ServiceWatch(WatchListener listener) {
        this.listener = listener;
    }

    /** Sets up a watch of all keys that begin like this, and waits until etcd has confirmed it. */
    static ServiceWatch open(Channel channel, String begin, WatchListener listener, long nanos) throws Exception {
        Metadata headers = new Metadata();
        headers.put(REQUIRE_LEADER, "true");
        ServiceWatch watch = new ServiceWatch(listener);
        WatchGrpc.newStub(channel)
                .withInterceptors(MetadataUtils.newAttachHeadersInterceptor(headers))
                .watch(watch)
                .onNext(WatchRequest.newBuilder()
                        .setCreateRequest(WatchCreateRequest.newBuilder()
                                .setKey(EtcdKeys.bytes(begin))
                                .setRangeEnd(EtcdKeys.endOf(begin)))
                        .build());
        try {
            watch.created.get(nanos, TimeUnit.NANOSECONDS);
            return watch;
        } catch (ExecutionException ex) {
            watch.close();
            throw ex.getCause() instanceof Exception cause ? cause : ex;
        } catch (TimeoutException ex) {
            watch.close();
            throw Status.DEADLINE_EXCEEDED.asRuntimeException();
        } catch (InterruptedException ex) {
            watch.close();
            throw ex;
        }
    }

    @Override
    public void beforeStart(ClientCallStreamObserver<WatchRequest> stream) {
        requests = stream;
    }

    @Override
    public void onNext(WatchResponse response) {
        if (response.getCanceled()) {
            String reason = response.getCompactRevision() > 0
                    ? "its revision has been compacted away"
                    : response.getCancelReason();
            end(EtcdErrors.explain(reason));
            cancel();
        } else if (response.getCreated()) {
            created.complete(null);
        }
        if (response.getEventsCount() > 0 && !ended.get()) {
            listener.changed();
        }
    }

    @Override
    public void onError(Throwable thrown) {
        end(thrown instanceof Exception exception ? exception : new IOException(thrown));
    }

    @Override
    public void onCompleted() {
        end(EtcdErrors.ended());
    }

    private void end(Exception cause) {
        boolean wasCreated = !created.completeExceptionally(cause);
        if (wasCreated && ended.compareAndSet(false, true)) {
            listener.lost(new IOException("the watch at etcd has ended: " + cause.getMessage(), cause));
        }
    }

    @Override
    public void close() {
        ended.set(true);
        cancel();
    }

    private void cancel() {
        ClientCallStreamObserver<WatchRequest> stream = requests;
        if (stream != null) {
            stream.cancel("the watch is closed", null);
        }
    }
}
