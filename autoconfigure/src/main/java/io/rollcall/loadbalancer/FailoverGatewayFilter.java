package io.rollcall.loadbalancer;

import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.CLIENT_RESPONSE_CONN_ATTR;
import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_REQUEST_URL_ATTR;
import static org.springframework.cloud.gateway.support.ServerWebExchangeUtils.GATEWAY_SCHEME_PREFIX_ATTR;

import java.net.URI;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.gateway.filter.GatewayFilterChain;
import org.springframework.cloud.gateway.filter.GlobalFilter;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.support.ServerWebExchangeUtils;
import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;
import reactor.netty.Connection;

/**
 * Takes a request that passes through the WebFlux gateway to another instance where it was not processed. Sits just before
 * the gateway's load balancer filter, so that a route's own filters see the request and the final response once. Which
 * bodies can be sent again: see {@link GatewayBody}. WebSockets are left alone.
 */
final class FailoverGatewayFilter implements GlobalFilter, Ordered {

    private final Failover failover;

    private final CallTracker tracker;

    FailoverGatewayFilter(Failover failover, CallTracker tracker) {
        this.failover = failover;
        this.tracker = tracker;
    }

    @Override
    public int getOrder() {
        return ReactiveLoadBalancerClientFilter.LOAD_BALANCER_CLIENT_FILTER_ORDER - 1;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, GatewayFilterChain chain) {
        URI url = exchange.getAttribute(GATEWAY_REQUEST_URL_ATTR);
        String serviceId = url != null ? serviceId(url, exchange.getAttribute(GATEWAY_SCHEME_PREFIX_ATTR)) : null;
        if (url == null
                || serviceId == null
                || RequestKeys.isUpgrade(exchange.getRequest().getHeaders())) {
            return chain.filter(exchange);
        }
        return Mono.defer(() -> {
            Call call = failover.begin(serviceId);
            exchange.getAttributes().put(Call.ATTRIBUTE, call);
            return GatewayBody.prepare(
                            exchange,
                            failover.maxBodySize(),
                            body -> attempt(exchange.mutate().request(body).build(), chain, url, call, body, null))
                    .doOnCancel(() -> tracker.ended(call, Verdict.NONE));
        });
    }

    private static @Nullable String serviceId(URI url, @Nullable String schemePrefix) {
        boolean balanced = "lb".equals(url.getScheme())
                || ("lb".equals(schemePrefix)
                        && url.getScheme() != null
                        && url.getScheme().startsWith("http"));
        return balanced ? url.getHost() : null;
    }

    private Mono<Void> attempt(
            ServerWebExchange exchange,
            GatewayFilterChain chain,
            URI url,
            Call call,
            GatewayBody body,
            @Nullable Mono<Void> last) {
        int before = call.attempts();
        return chain.filter(exchange).materialize().flatMap(outcome -> {
            if (last != null && call.attempts() == before) {
                // Those to move on to have left meanwhile.
                return last;
            }
            if (body.isRepeatable() && movesOn(outcome, exchange, call)) {
                Mono<Void> again = again(outcome, exchange.getResponse());
                return reset(exchange, url).then(Mono.defer(() -> attempt(exchange, chain, url, call, body, again)));
            }
            return Mono.just(outcome).dematerialize();
        });
    }

    private static boolean movesOn(Signal<Void> outcome, ServerWebExchange exchange, Call call) {
        ServerHttpResponse response = exchange.getResponse();
        if (response.isCommitted()) {
            return false;
        }
        Throwable failure = outcome.getThrowable();
        if (failure != null) {
            return Outcomes.movesOn(call, failure, exchange.getRequest().getMethod());
        }
        return Outcomes.isRefusal(response.getStatusCode(), response.getHeaders()) && call.movesOn();
    }

    /** What brings an outcome back once it was forgotten: a failure, or a refusal without its body. */
    private static Mono<Void> again(Signal<Void> outcome, ServerHttpResponse response) {
        if (outcome.isOnError()) {
            return Mono.just(outcome).dematerialize();
        }
        HttpStatusCode status = response.getStatusCode();
        HttpHeaders headers = new HttpHeaders();
        headers.addAll(response.getHeaders());
        headers.remove(HttpHeaders.CONTENT_LENGTH);
        headers.remove(HttpHeaders.TRANSFER_ENCODING);
        return Mono.fromRunnable(() -> {
            response.setStatusCode(status);
            response.getHeaders().putAll(headers);
        });
    }

    /** Forgets the refusal. Its body, if any, is read to the end, so that the connection goes back to the pool. */
    private static Mono<Void> reset(ServerWebExchange exchange, URI url) {
        Connection connection = exchange.getAttribute(CLIENT_RESPONSE_CONN_ATTR);
        Mono<Void> drained = connection != null ? connection.inbound().receive().then() : Mono.empty();
        return drained.then(Mono.fromRunnable(() -> {
            exchange.getAttributes().remove(CLIENT_RESPONSE_CONN_ATTR);
            ServerWebExchangeUtils.reset(exchange);
            exchange.getResponse().setStatusCode(null);
            exchange.getAttributes().put(GATEWAY_REQUEST_URL_ATTR, url);
        }));
    }
}
