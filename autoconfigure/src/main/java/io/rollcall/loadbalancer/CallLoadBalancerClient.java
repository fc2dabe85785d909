package io.rollcall.loadbalancer;

import java.io.IOException;
import java.net.URI;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerRequest;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;

/** Lets the choice of an instance, and all that follows it, know the call that the instance is for. */
final class CallLoadBalancerClient implements LoadBalancerClient {

    private final LoadBalancerClient delegate;

    private final Function<String, Call> calls;

    /**
     * Makes a client for one call or for many.
     * @param delegate the client that chooses
     * @param calls gives the call for a service
     */
    CallLoadBalancerClient(LoadBalancerClient delegate, Function<String, Call> calls) {
        this.delegate = delegate;
        this.calls = calls;
    }

    @Override
    @SuppressWarnings("NullAway") // documented to return null without an instance, whatever the annotations say
    public <T> @Nullable ServiceInstance choose(String serviceId, Request<T> request) {
        RequestData data = RequestKeys.data(request);
        if (data == null) {
            return delegate.choose(serviceId, request);
        }
        Call call = calls.apply(serviceId);
        data.getAttributes().put(Call.ATTRIBUTE, call);
        ServiceInstance instance = delegate.choose(serviceId, request);
        return instance != null && call.wasTried(instance) ? null : instance;
    }

    @Override
    @SuppressWarnings("NullAway") // as above
    public @Nullable ServiceInstance choose(String serviceId) {
        return delegate.choose(serviceId);
    }

    @Override
    public <T> T execute(String serviceId, LoadBalancerRequest<T> request) throws IOException {
        return delegate.execute(serviceId, request);
    }

    @Override
    public <T> T execute(String serviceId, ServiceInstance instance, LoadBalancerRequest<T> request)
            throws IOException {
        return delegate.execute(serviceId, instance, request);
    }

    @Override
    public URI reconstructURI(ServiceInstance instance, URI original) {
        return delegate.reconstructURI(instance, original);
    }
}
