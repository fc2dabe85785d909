package io.rollcall.loadbalancer;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.DefaultResponse;
import org.springframework.cloud.client.loadbalancer.EmptyResponse;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.loadbalancer.core.NoopServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.core.SelectedInstanceCallback;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.util.function.SingletonSupplier;
import reactor.core.publisher.Mono;

/** The load balancer of one service: takes the list of the moment and lets a strategy choose from it. */
final class StrategyLoadBalancer implements ReactorServiceInstanceLoadBalancer {

    private final SingletonSupplier<ServiceInstanceListSupplier> supplier;

    private final SelectionStrategy strategy;

    StrategyLoadBalancer(ObjectProvider<ServiceInstanceListSupplier> supplier, SelectionStrategy strategy) {
        this.supplier = SingletonSupplier.of(() -> supplier.getIfAvailable(NoopServiceInstanceListSupplier::new));
        this.strategy = strategy;
    }

    @Override
    @SuppressWarnings("rawtypes") // as Spring Cloud declares it
    public Mono<Response<ServiceInstance>> choose(Request request) {
        ServiceInstanceListSupplier instances = supplier.obtain();
        return instances
                .get(request)
                .next()
                .map(candidates -> respond(instances, candidates, request))
                .switchIfEmpty(Mono.fromSupplier(EmptyResponse::new));
    }

    private Response<ServiceInstance> respond(
            ServiceInstanceListSupplier instances, List<ServiceInstance> candidates, Request<?> request) {
        if (candidates.isEmpty()) {
            return new EmptyResponse();
        }
        ServiceInstance chosen = strategy.choose(candidates, request);
        if (instances instanceof SelectedInstanceCallback callback) {
            callback.selectedServiceInstance(chosen);
        }
        return new DefaultResponse(chosen);
    }
}
