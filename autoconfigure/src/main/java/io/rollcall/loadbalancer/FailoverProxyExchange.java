package io.rollcall.loadbalancer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestAdapter;
import org.springframework.cloud.client.loadbalancer.LoadBalancerUriTools;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.gateway.server.mvc.common.MvcUtils;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.servlet.function.ServerRequest;
import org.springframework.web.servlet.function.ServerResponse;

/**
 * Takes a request that passes through the servlet gateway to another instance where it was not processed. The first instance
 * comes from the gateway's own load balancer filter; a route's filters see the request and the final response once. A body
 * that announces a length within the limit is held in memory and can be sent again, any other is passed through once.
 */
final class FailoverProxyExchange implements ProxyExchange {

    private final ProxyExchange delegate;

    private final LoadBalancerClient loadBalancer;

    private final ReactiveLoadBalancer.Factory<ServiceInstance> clients;

    private final int maxBodySize;

    private final CallTracker tracker;

    FailoverProxyExchange(
            ProxyExchange delegate,
            LoadBalancerClient loadBalancer,
            ReactiveLoadBalancer.Factory<ServiceInstance> clients,
            int maxBodySize,
            CallTracker tracker) {
        this.delegate = delegate;
        this.loadBalancer = loadBalancer;
        this.clients = clients;
        this.maxBodySize = maxBodySize;
        this.tracker = tracker;
    }

    @Override
    public ServerResponse exchange(Request request) {
        if (!(request.getServerRequest().attributes().get(Call.ATTRIBUTE) instanceof Call call)) {
            return delegate.exchange(request);
        }
        try {
            byte[] body = HeldRequest.read(request.getServerRequest().servletRequest(), maxBodySize);
            return body != null ? exchange(request, body, call) : send(request, call);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private ServerResponse exchange(Request request, byte[] body, Call call) {
        LoadBalancerRequestAdapter<ServerResponse, RequestDataContext> attempt = new LoadBalancerRequestAdapter<>(
                instance -> send(to(uri(request, instance), request, body), call),
                context(request.getServerRequest(), call.serviceId()));
        Outcome outcome = outcome(request, () -> send(to(request.getUri(), request, body), call));
        while (outcome.movesOn(call, request)) {
            ServiceInstance next = choose(call, attempt, outcome);
            if (next == null || call.wasTried(next)) {
                break;
            }
            outcome.close();
            outcome = outcome(request, () -> loadBalancer.execute(call.serviceId(), next, attempt));
        }
        return outcome.get();
    }

    @SuppressWarnings("NullAway") // documented to return null without an instance, whatever the annotations say
    private @Nullable ServiceInstance choose(Call call, LoadBalancerRequestAdapter<?, ?> attempt, Outcome last) {
        try {
            return loadBalancer.choose(call.serviceId(), attempt);
        } catch (RuntimeException ex) {
            last.close();
            throw ex;
        }
    }

    /** Ends the attempt itself, since the gateway reports the end of the first one after all others, and no status. */
    private ServerResponse send(Request request, Call call) {
        try {
            ServerResponse response = delegate.exchange(request);
            ClientHttpResponse raw = MvcUtils.getAttribute(request.getServerRequest(), MvcUtils.CLIENT_RESPONSE_ATTR);
            tracker.ended(call, raw != null ? Verdict.of(status(raw), raw.getHeaders()) : Verdict.SERVED);
            return response;
        } catch (RuntimeException ex) {
            tracker.ended(call, Verdict.of(cause(ex)));
            throw ex;
        } finally {
            // Nothing but an Error leaves an attempt open.
            tracker.ended(call, Verdict.NONE);
        }
    }

    /** The gateway sends by a {@code RestClient}, which wraps what happens to the connection. */
    private static Throwable cause(RuntimeException failure) {
        Throwable cause = failure.getCause();
        return failure instanceof ResourceAccessException && cause != null ? cause : failure;
    }

    private static HttpStatusCode status(ClientHttpResponse response) {
        try {
            return response.getStatusCode();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private Request to(@Nullable URI uri, Request request, byte[] body) {
        ServerRequest original = request.getServerRequest();
        ServerRequest repeated =
                ServerRequest.create(new HeldRequest(original.servletRequest(), body), original.messageConverters());
        repeated.attributes().putAll(original.attributes());
        RequestBuilder builder =
                delegate.request(repeated).method(request.getMethod()).headers(request.getHeaders());
        request.getResponseConsumers().forEach(builder::responseConsumer);
        return (uri != null ? builder.uri(uri) : builder).build();
    }

    private static @Nullable URI uri(Request request, ServiceInstance instance) {
        URI uri = request.getUri();
        return uri != null ? LoadBalancerUriTools.reconstructURI(instance, uri) : null;
    }

    private RequestDataContext context(ServerRequest request, String serviceId) {
        RequestData data = new RequestData(
                request.method(),
                request.uri(),
                request.headers().asHttpHeaders(),
                new LinkedMultiValueMap<>(),
                request.attributes());
        return new RequestDataContext(data, Failover.hint(clients.getProperties(serviceId), serviceId));
    }

    private static Outcome outcome(Request request, Exchange exchange) {
        try {
            ServerResponse response = exchange.run();
            ClientHttpResponse raw = MvcUtils.getAttribute(request.getServerRequest(), MvcUtils.CLIENT_RESPONSE_ATTR);
            return new Outcome(response, raw, null);
        } catch (RuntimeException ex) {
            return new Outcome(null, null, ex);
        } catch (IOException ex) {
            return new Outcome(null, null, new UncheckedIOException(ex));
        }
    }

    @FunctionalInterface
    private interface Exchange {

        ServerResponse run() throws IOException;
    }

    /** What came of one attempt: a response, with the raw one behind it, or a failure. */
    private record Outcome(
            @Nullable ServerResponse response,
            @Nullable ClientHttpResponse raw,
            @Nullable RuntimeException failure) {

        boolean movesOn(Call call, Request request) {
            if (failure != null) {
                return Outcomes.movesOn(call, cause(failure), request.getMethod());
            }
            return raw != null && Outcomes.isRefusal(status(raw), raw.getHeaders()) && call.movesOn();
        }

        void close() {
            if (raw != null) {
                raw.close();
            }
        }

        ServerResponse get() {
            if (response == null) {
                throw Objects.requireNonNull(failure);
            }
            return response;
        }
    }
}
