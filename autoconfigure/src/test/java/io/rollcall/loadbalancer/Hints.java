package io.rollcall.loadbalancer;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.HintRequestContext;
import org.springframework.cloud.client.loadbalancer.LoadBalancerLifecycle;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;

/** The hints that come with the attempts. */
final class Hints implements LoadBalancerLifecycle<Object, Object, ServiceInstance> {

    final List<String> seen = new CopyOnWriteArrayList<>();

    @Override
    public void onStart(Request<Object> request) {
        // No instance is chosen yet.
    }

    @Override
    public void onStartRequest(Request<Object> request, Response<ServiceInstance> response) {
        seen.add(((HintRequestContext) request.getContext()).getHint());
    }

    @Override
    public void onComplete(CompletionContext<Object, ServiceInstance, Object> completion) {
        // Of no interest here.
    }
}
