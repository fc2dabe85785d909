package io.rollcall.registration;

import org.springframework.core.Ordered;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.ServerHttpRequestDecorator;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import org.springframework.web.server.WebFilterChain;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;

/** Does in Reactor Netty what {@link DrainingFilter} does in a servlet container. */
final class DrainingWebFilter implements WebFilter, Ordered {

    private final Draining draining;

    DrainingWebFilter(Draining draining) {
        this.draining = draining;
    }

    @Override
    public Mono<Void> filter(ServerWebExchange exchange, WebFilterChain chain) {
        if (ServerHttpRequestDecorator.getNativeRequest(exchange.getRequest()) instanceof HttpServerRequest netty
                && netty.version().majorVersion() == 1) {
            ServerHttpResponse response = exchange.getResponse();
            response.beforeCommit(() -> Mono.fromRunnable(() -> closeIfDraining(response)));
        }
        return chain.filter(exchange);
    }

    private void closeIfDraining(ServerHttpResponse response) {
        if (draining.isActive()) {
            response.getHeaders().set(HttpHeaders.CONNECTION, "close");
        }
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }
}
