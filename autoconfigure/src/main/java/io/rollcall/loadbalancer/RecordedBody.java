package io.rollcall.loadbalancer;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
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
 */
final class RecordedBody {

    private final BodyInserter<?, ? super ClientHttpRequest> source;

    private final int limit;

    private @Nullable ByteArrayOutputStream bytes = new ByteArrayOutputStream(0);

    private @Nullable HttpHeaders headers;

    private volatile State state = State.UNTOUCHED;

    RecordedBody(BodyInserter<?, ? super ClientHttpRequest> source, int limit) {
        this.source = source;
        this.limit = limit;
    }

    boolean isRepeatable() {
        return state == State.UNTOUCHED || state == State.RECORDED;
    }

    /** Inserts the body: the first time from its source, later from the record. */
    Mono<Void> insert(ClientHttpRequest request, BodyInserter.Context context) {
        ByteArrayOutputStream recorded = bytes;
        if (state == State.UNTOUCHED || recorded == null) {
            return source.insert(new Recorder(request), context);
        }
        if (headers != null) {
            headers.forEach((name, values) -> {
                if (!request.getHeaders().containsHeader(name)) {
                    request.getHeaders().addAll(name, values);
                }
            });
        }
        byte[] body = recorded.toByteArray();
        return body.length > 0
                ? request.writeWith(
                        Mono.fromSupplier(() -> request.bufferFactory().wrap(body)))
                : request.setComplete();
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
        if (bytes != null) {
            state = State.RECORDED;
        }
    }

    private enum State {
        UNTOUCHED,
        TOUCHED,
        RECORDED
    }

    private final class Recorder extends ClientHttpRequestDecorator {

        Recorder(ClientHttpRequest delegate) {
            super(delegate);
        }

        @Override
        public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
            RecordedBody.this.headers = new HttpHeaders(getHeaders());
            RecordedBody.this.state = State.TOUCHED;
            // The connectors treat a body of one piece differently, so it has to stay a Mono.
            return super.writeWith(
                    body instanceof Mono<? extends DataBuffer> single
                            ? single.doOnNext(RecordedBody.this::record)
                                    .doOnSuccess(piece -> RecordedBody.this.complete())
                            : Flux.from(body)
                                    .doOnNext(RecordedBody.this::record)
                                    .doOnComplete(RecordedBody.this::complete));
        }

        @Override
        public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
            RecordedBody.this.state = State.TOUCHED;
            return super.writeAndFlushWith(body);
        }
    }
}
