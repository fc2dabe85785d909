package io.rollcall.concurrency;

import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Tells a permit's stopwatch when all that the server asked for was produced and only the client keeps it waiting. */
final class TimedServerResponse extends ServerHttpResponseDecorator {

    private final Permit permit;

    TimedServerResponse(ServerHttpResponse response, Permit permit) {
        super(response);
        this.permit = permit;
    }

    @Override
    public Mono<Void> writeWith(Publisher<? extends DataBuffer> body) {
        return super.writeWith(timed(body));
    }

    @Override
    public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
        return super.writeAndFlushWith(timed(body));
    }

    private <T> Publisher<T> timed(Publisher<T> body) {
        if (body instanceof Mono<T> mono) {
            // It has to stay one: the server writes it in a single piece, with its length.
            return mono.doOnTerminate(permit::clientWaited);
        }
        return Flux.from(subscriber -> body.subscribe(new DemandWatch<>(subscriber, permit)));
    }
}
