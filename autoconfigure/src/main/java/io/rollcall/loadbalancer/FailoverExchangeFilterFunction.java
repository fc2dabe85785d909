package io.rollcall.loadbalancer;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerClientRequestTransformer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerExchangeFilterFunction;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/**
 * Spring Cloud's load balancing of {@code WebClient}, moving on to another instance where the call was not processed. Serves
 * the HTTP interface clients over {@code WebClient}, too. Which bodies can be sent again: see {@link RecordedBody}.
 */
final class FailoverExchangeFilterFunction extends ReactorLoadBalancerExchangeFilterFunction {

    private static final byte[] NO_BODY = new byte[0];

    private final Failover failover;

    private final CallTracker tracker;

    FailoverExchangeFilterFunction(
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            List<LoadBalancerClientRequestTransformer> transformers,
            Failover failover,
            CallTracker tracker) {
        super(clients, transformers);
        this.failover = failover;
        this.tracker = tracker;
    }

    @Override
    public Mono<ClientResponse> filter(ClientRequest request, ExchangeFunction next) {
        String serviceId = request.url().getHost();
        if (serviceId == null) {
            return super.filter(request, next);
        }
        return Mono.defer(() -> {
            Call call = failover.begin(serviceId);
            RecordedBody body = new RecordedBody(request.body(), failover.maxBodySize());
            ClientRequest recorded = ClientRequest.from(request)
                    .attribute(Call.ATTRIBUTE, call)
                    .body(body::insert)
                    .build();
            return attempt(recorded, next, call, body, null).doOnCancel(() -> tracker.ended(call, Verdict.NONE));
        });
    }

    private Mono<ClientResponse> attempt(
            ClientRequest request,
            ExchangeFunction next,
            Call call,
            RecordedBody body,
            @Nullable Signal<ClientResponse> last) {
        int before = call.attempts();
        return super.filter(request, next).materialize().flatMap(outcome -> {
            if (last != null && call.attempts() == before) {
                // Those to move on to have left meanwhile.
                return release(outcome).then(Mono.just(last).dematerialize());
            }
            if (body.isRepeatable() && movesOn(outcome, request, call)) {
                return keep(outcome).flatMap(kept -> attempt(request, next, call, body, kept));
            }
            return Mono.just(outcome).dematerialize();
        });
    }

    private static boolean movesOn(Signal<ClientResponse> outcome, ClientRequest request, Call call) {
        Throwable failure = outcome.getThrowable();
        if (failure != null) {
            return Outcomes.movesOn(call, failure, request.method());
        }
        ClientResponse response = outcome.get();
        return response != null
                && Outcomes.isRefusal(response.statusCode(), response.headers().asHttpHeaders())
                && call.movesOn();
    }

    /** Takes a refusal into memory, so that its connection is free while another instance is tried. */
    private static Mono<Signal<ClientResponse>> keep(Signal<ClientResponse> outcome) {
        ClientResponse response = outcome.get();
        return response == null
                ? Mono.just(outcome)
                : response.bodyToMono(byte[].class)
                        // What counts is the next attempt, and of this one its status and headers.
                        .onErrorReturn(NO_BODY)
                        .defaultIfEmpty(NO_BODY)
                        .map(body -> Signal.next(copy(response, body)));
    }

    private static ClientResponse copy(ClientResponse response, byte[] body) {
        return ClientResponse.create(response.statusCode(), response.strategies())
                .request(response.request())
                .headers(headers -> headers.addAll(response.headers().asHttpHeaders()))
                .cookies(cookies -> cookies.addAll(response.cookies()))
                .body(Flux.defer(() -> Flux.just(DefaultDataBufferFactory.sharedInstance.wrap(body))))
                .build();
    }

    private static Mono<Void> release(Signal<ClientResponse> outcome) {
        ClientResponse response = outcome.get();
        return response != null ? response.releaseBody() : Mono.empty();
    }
}
