package io.rollcall.loadbalancer;

import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.EmptyResponse;
import org.springframework.cloud.client.loadbalancer.HttpRequestLoadBalancerRequest;
import org.springframework.cloud.client.loadbalancer.LoadBalancerLifecycle;
import org.springframework.cloud.client.loadbalancer.LoadBalancerLifecycleValidator;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequest;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequestAdapter;
import org.springframework.cloud.client.loadbalancer.RequestData;
import org.springframework.cloud.client.loadbalancer.RequestDataContext;
import org.springframework.cloud.client.loadbalancer.ResponseData;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.loadbalancer.blocking.client.BlockingLoadBalancerClient;
import org.springframework.http.HttpRequest;
import org.springframework.http.client.ClientHttpResponse;

/**
 * Spring Cloud's blocking load balancer client, moving on to another instance where the call was not processed. Serves
 * {@code RestClient}, {@code RestTemplate} and the HTTP interface clients over them, whose bodies are in memory and so can
 * always be sent again.
 */
final class FailoverLoadBalancerClient extends BlockingLoadBalancerClient {

    private final ReactiveLoadBalancer.Factory<ServiceInstance> clients;

    private final Failover failover;

    private final CallTracker tracker;

    FailoverLoadBalancerClient(
            ReactiveLoadBalancer.Factory<ServiceInstance> clients, Failover failover, CallTracker tracker) {
        super(clients);
        this.clients = clients;
        this.failover = failover;
        this.tracker = tracker;
    }

    @Override
    public <T> T execute(String serviceId, LoadBalancerRequest<T> request) throws IOException {
        if (!(request instanceof HttpRequestLoadBalancerRequest<T> httpRequest)) {
            return super.execute(serviceId, request);
        }
        HttpRequest http = httpRequest.getHttpRequest();
        Call call = failover.begin(serviceId);
        @Nullable T refusal = null;
        @Nullable IOException failure = null;
        while (true) {
            LoadBalancerRequestAdapter<T, RequestDataContext> attempt =
                    new LoadBalancerRequestAdapter<>(request, context(serviceId, http, call));
            @Nullable ServiceInstance instance;
            try {
                instance = chooseFor(attempt, serviceId, call);
            } catch (RuntimeException ex) {
                close(refusal);
                throw ex;
            }
            if (instance == null) {
                return last(serviceId, refusal, failure);
            }
            close(refusal);
            refusal = null;
            try {
                T answer = execute(serviceId, instance, attempt);
                if (!isRefusal(answer) || !call.movesOn()) {
                    return answer;
                }
                refusal = answer;
            } catch (IOException ex) {
                if (!Outcomes.movesOn(call, ex, http.getMethod())) {
                    throw ex;
                }
                failure = ex;
            } finally {
                // Nothing but an Error leaves an attempt open.
                tracker.ended(call, Verdict.NONE);
            }
        }
    }

    private RequestDataContext context(String serviceId, HttpRequest request, Call call) {
        RequestData data = new RequestData(request);
        data.getAttributes().put(Call.ATTRIBUTE, call);
        return new RequestDataContext(data, Failover.hint(clients.getProperties(serviceId), serviceId));
    }

    @SuppressWarnings({"rawtypes", "unchecked"}) // as Spring Cloud declares lifecycles
    private @Nullable ServiceInstance chooseFor(
            LoadBalancerRequestAdapter<?, RequestDataContext> attempt, String serviceId, Call call) {
        Set<LoadBalancerLifecycle> lifecycles = LoadBalancerLifecycleValidator.getSupportedLifecycleProcessors(
                clients.getInstances(serviceId, LoadBalancerLifecycle.class),
                RequestDataContext.class,
                ResponseData.class,
                ServiceInstance.class);
        lifecycles.forEach(lifecycle -> lifecycle.onStart(attempt));
        ServiceInstance instance = choose(serviceId, attempt);
        if (instance == null || call.wasTried(instance)) {
            lifecycles.forEach(lifecycle -> lifecycle.onComplete(
                    new CompletionContext<>(CompletionContext.Status.DISCARD, attempt, new EmptyResponse())));
            return null;
        }
        return instance;
    }

    private static <T> T last(String serviceId, @Nullable T refusal, @Nullable IOException failure) throws IOException {
        if (refusal != null) {
            return refusal;
        }
        if (failure != null) {
            throw failure;
        }
        throw new IllegalStateException("No instances available for " + serviceId);
    }

    private static boolean isRefusal(@Nullable Object answer) throws IOException {
        return answer instanceof ClientHttpResponse response
                && Outcomes.isRefusal(response.getStatusCode(), response.getHeaders());
    }

    private static void close(@Nullable Object answer) {
        if (answer instanceof ClientHttpResponse response) {
            response.close();
        }
    }
}
