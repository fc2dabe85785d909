package io.rollcall.loadbalancer;

import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.LoadBalancerLifecycle;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;

/**
 * Notes which instance each attempt goes to, which attempts are in flight, and what comes of them. In flight are only those of
 * clients that move on: of others it may never learn the end.
 */
final class CallTracker implements LoadBalancerLifecycle<Object, Object, ServiceInstance> {

    private final InFlight inFlight;

    private final OutlierDetection outliers;

    CallTracker(InFlight inFlight, OutlierDetection outliers) {
        this.inFlight = inFlight;
        this.outliers = outliers;
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
            ended(call, Verdict.NONE);
            call.started(instance);
            inFlight.started(instance);
        }
        if (!RequestKeys.isUpgrade(request)) {
            outliers.started(instance, call);
        }
    }

    @Override
    public void onComplete(CompletionContext<Object, ServiceInstance, Object> completion) {
        Response<ServiceInstance> response = completion.getLoadBalancerResponse();
        ServiceInstance instance = response != null ? response.getServer() : null;
        if (instance == null) {
            return;
        }
        Call call = Call.of(completion.getLoadBalancerRequest());
        if (call != null) {
            ended(call, Verdict.of(completion));
        } else if (!RequestKeys.isUpgrade(completion.getLoadBalancerRequest())) {
            outliers.ended(instance, null, Verdict.of(completion));
        }
    }

    /**
     * Ends a call's current attempt if it is still open: the first who tells how it ended is believed. Spring Cloud LoadBalancer reports no end when a reactive caller
     * cancels; the clients here do it instead, since a count that only grows would keep calls away for good.
     */
    void ended(Call call, Verdict verdict) {
        ServiceInstance instance = call.ended();
        if (instance != null) {
            inFlight.ended(instance);
            outliers.ended(instance, call, verdict);
        }
    }
}
