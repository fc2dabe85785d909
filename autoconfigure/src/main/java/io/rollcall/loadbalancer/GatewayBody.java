package io.rollcall.loadbalancer;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * The body of a request that passes through the gateway. One that announces a length within the limit is held in memory, so that
 * it can be sent again; any other is passed through as it comes, and can be sent to another instance only as long as none of
 * it was asked for, or if there was none.
 */
final class GatewayBody extends ServerHttpRequestDecorator {

    private final byte @Nullable [] held;

    private volatile State state;

    private GatewayBody(ServerHttpRequest request, byte @Nullable [] held, State state) {
        super(request);
        this.held = held;
        this.state = state;
    }

    /**
     * Reads the body if it is to be held, then goes on.
     * @param limit the largest length to hold, in bytes
     */
    static Mono<Void> prepare(ServerWebExchange exchange, int limit, Function<GatewayBody, Mono<Void>> then) {
        ServerHttpRequest request = exchange.getRequest();
        if (exchange.getAttribute(ServerWebExchangeUtils.CACHED_REQUEST_BODY_ATTR) != null) {
            // A filter before this one keeps it and hands out a copy each time.
            return then.apply(new GatewayBody(request, null, State.KEPT_BY_OTHERS));
        }
        long length = request.getHeaders().getContentLength();
        if (length <= 0 || length > limit) {
            return then.apply(new GatewayBody(request, null, State.UNTOUCHED));
        }
        return DataBufferUtils.join(request.getBody(), limit)
                .map(GatewayBody::bytes)
                .defaultIfEmpty(new byte[0])
                .flatMap(body -> then.apply(new GatewayBody(request, body, State.UNTOUCHED)));
    }

    boolean isRepeatable() {
        return held != null || state != State.TOUCHED;
    }

    @Override
    public Flux<DataBuffer> getBody() {
        byte[] body = held;
        if (body != null) {
            return Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body)));
        }
        return switch (state) {
            case KEPT_BY_OTHERS -> super.getBody();
            case EMPTY -> Flux.empty();
            case UNTOUCHED, TOUCHED -> passThrough();
        };
    }

    private Flux<DataBuffer> passThrough() {
        return Flux.defer(() -> {
            state = State.TOUCHED;
            return super.getBody().switchOnFirst((first, body) -> {
                if (first.isOnComplete()) {
                    state = State.EMPTY;
                }
                return body;
            });
        });
    }

    private static byte[] bytes(DataBuffer buffer) {
        byte[] bytes = new byte[buffer.readableByteCount()];
        buffer.read(bytes);
        DataBufferUtils.release(buffer);
        return bytes;
    }

    private enum State {
        KEPT_BY_OTHERS,
        UNTOUCHED,
        TOUCHED,
        EMPTY
    }
}
