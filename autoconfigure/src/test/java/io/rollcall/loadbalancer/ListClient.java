package io.rollcall.loadbalancer;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import reactor.core.publisher.Flux;

/** Answers with the list as it is at the moment, whatever the service. */
record ListClient(List<ServiceInstance> live) implements ReactiveDiscoveryClient {

    @Override
    public String description() {
        return "test";
    }

    @Override
    public Flux<ServiceInstance> getInstances(String serviceId) {
        return Flux.fromIterable(live);
    }

    @Override
    public Flux<String> getServices() {
        return Flux.just("svc");
    }
}
