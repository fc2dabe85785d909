package io.rollcall.loadbalancer;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.LoadBalancerLifecycle;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;

/** Notes which instance each attempt goes to, and which attempts are in flight. */
final class CallTracker implements LoadBalancerLifecycle<Object, Object, ServiceInstance> {

    private final InFlight inFlight;

    CallTracker(InFlight inFlight) {
        this.inFlight = inFlight;
    }

    @Override
    public void onStart(Request<Object> request) {
        // No instance is chosen yet.
    }

    @Override
    public void onStartRequest(Request<Object> request, Response<ServiceInstance> response) {
        ServiceInstance instance = response.getServer();
        if (instance == null) {
            return;
        }
        Call call = Call.of(request);
        if (call != null) {
            ended(call);
            call.started(instance);
        }
        this.inFlight.started(instance);
    }

    @Override
    public void onComplete(CompletionContext<Object, ServiceInstance, Object> completion) {
        Response<ServiceInstance> response = completion.getLoadBalancerResponse();
        ServiceInstance instance = (response != null) ? response.getServer() : null;
        if (instance == null) {
            return;
        }
        Call call = Call.of(completion.getLoadBalancerRequest());
        if (call != null) {
            ended(call);
        } else {
            this.inFlight.ended(instance);
        }
    }

    /**
     * Ends a call's current attempt if it is still open. Spring Cloud LoadBalancer reports no end when a reactive caller
     * cancels; the clients here do it instead, since a count that only grows would keep calls away for good.
     */
    void ended(Call call) {
        ServiceInstance instance = call.ended();
        if (instance != null) {
            this.inFlight.ended(instance);
        }
    }
}
