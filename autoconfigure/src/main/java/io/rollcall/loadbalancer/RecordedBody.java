package io.rollcall.loadbalancer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.client.reactive.ClientHttpRequest;
import org.springframework.http.client.reactive.ClientHttpRequestDecorator;
import org.springframework.web.reactive.function.BodyInserter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Keeps the body of a {@code WebClient} request as it is sent, to send the same bytes again. Asking the body's own source a
 * second time would not do: it may be a stream that gives its elements once, and would silently send an empty body.
 *
 * <p>A body can be repeated if none of it was asked for yet, or if all of it was recorded. Values, forms and other bodies of
 * one piece always are; a stream is if the server took all of it before it refused; one that is flushed piece by piece never is.
 * A connector may ask again by itself, to follow a redirect: then the source is asked again too, as it would be without this
 * class, unless the record is whole.
 */
final class RecordedBody {

    private final BodyInserter<?, ? super ClientHttpRequest> source;

    private final int limit;

    private volatile boolean touched;

    private volatile @Nullable Recorder last;

    RecordedBody(BodyInserter<?, ? super ClientHttpRequest> source, int limit) {
        this.source = source;
        this.limit = limit;
    }

    boolean isRepeatable() {
        Recorder recorder = last;
        return !touched || (recorder != null && recorder.complete);
    }

    /** Inserts the body: from the record if that is whole, else from its source. */
    Mono<Void> insert(ClientHttpRequest request, BodyInserter.Context context) {
        Recorder recorder = last;
        if (recorder != null && recorder.complete) {
            return recorder.replay(request);
        }
        Recorder next = new Recorder(request);
        last = next;
        return source.insert(next, context);
    }

    /** Has a record of its own, since an earlier one may still be written to while the connector goes on. */
    private final class Recorder extends ClientHttpRequestDecorator {

        private @Nullable ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);

        private HttpHeaders headers = HttpHeaders.EMPTY;

        private volatile boolean complete;

        Recorder(ClientHttpRequest delegate) {
            super(delegate);
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            headers = new HttpHeaders(getHeaders());
            // The connectors treat a body of one piece differently, so it has to stay a Mono.
            return super.writeWith(
                    body instanceof Mono<? extends DataBuffer> single
                            ? single.doOnSubscribe(this::touch)
                                    .doOnNext(this::record)
                                    .doOnSuccess(piece -> complete())
                            : Flux.from(body)
                                    .doOnSubscribe(this::touch)
                                    .doOnNext(this::record)
                                    .doOnComplete(this::complete));
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            return super.writeAndFlushWith(Flux.from(body).doOnSubscribe(this::touch));
        }

        /** Some connectors take the body long before they are connected and ask for it. */
        private void touch(Subscription subscription) {
            touched = true;
        }

        private void record(DataBuffer piece) {
            ByteArrayOutputStream recorded = bytes;
            if (recorded == null) {
                return;
            }
            int length = piece.readableByteCount();
            if (recorded.size() + length > limit) {
                bytes = null;
                return;
            }
            byte[] copy = new byte[length];
            piece.toByteBuffer(ByteBuffer.wrap(copy));
            recorded.writeBytes(copy);
        }

        private void complete() {
            complete = bytes != null;
        }

        Mono<Void> replay(ClientHttpRequest request) {
            headers.forEach((name, values) -> {
                if (!request.getHeaders().containsHeader(name)) {
                    request.getHeaders().addAll(name, values);
                }
            });
            byte[] body = Objects.requireNonNull(bytes).toByteArray();
            return body.length > 0
                    ? request.writeWith(
                            Mono.fromSupplier(() -> request.bufferFactory().wrap(body)))
                    : request.setComplete();
        }
    }
}
