package io.rollcall.loadbalancer;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerClientRequestTransformer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerExchangeFilterFunction;
import org.springframework.web.reactive.function.client.ClientRequest;
import org.springframework.web.reactive.function.client.ClientResponse;
import org.springframework.web.reactive.function.client.ExchangeFunction;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/**
 * Spring Cloud's load balancing of {@code WebClient}, moving on to another instance where the call was not processed. Serves
 * the HTTP interface clients over {@code WebClient}, too. Which bodies can be sent again: see {@link RecordedBody}.
 */
final class FailoverExchangeFilterFunction extends ReactorLoadBalancerExchangeFilterFunction {

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
            return attempt(recorded, next, call, body).doOnCancel(() -> tracker.ended(call, Verdict.NONE));
        });
    }

    private Mono<ClientResponse> attempt(ClientRequest request, ExchangeFunction next, Call call, RecordedBody body) {
        return super.filter(request, next).materialize().flatMap(outcome -> {
            if (body.isRepeatable() && movesOn(outcome, request, call)) {
                return release(outcome).then(Mono.defer(() -> attempt(request, next, call, body)));
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

    private static Mono<Void> release(Signal<ClientResponse> outcome) {
        ClientResponse response = outcome.get();
        return response != null ? response.releaseBody() : Mono.empty();
    }
}
