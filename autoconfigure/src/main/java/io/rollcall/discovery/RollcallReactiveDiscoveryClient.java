package io.rollcall.discovery;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Answers from the merged lists of all registries; waits for a first answer without blocking. */
final class RollcallReactiveDiscoveryClient implements ReactiveDiscoveryClient {

    private final LiveServices services;

    RollcallReactiveDiscoveryClient(LiveServices services) {
        this.services = services;
    }

    @Override
    public String description() {
        return "Rollcall Reactive Discovery Client";
    }

    @Override
    public Flux<ServiceInstance> getInstances(String serviceId) {
        return Mono.fromFuture(() -> services.findInstances(serviceId), true)
                .timeout(services.getPatience(), Mono.fromSupplier(() -> services.giveUpWaiting(serviceId)))
                .flatMapIterable(List::copyOf);
    }

    @Override
    public Flux<String> getServices() {
        return Mono.fromFuture(services::findServices, true)
                .timeout(services.getPatience(), Mono.fromSupplier(services::peekServices))
                .flatMapIterable(List::copyOf);
    }

    /** Nothing to probe: a registry that is down is no reason for this application to be. */
    @Override
    public Mono<Void> reactiveProbe() {
        return Mono.empty();
    }

    @Override
    public int getOrder() {
        return RollcallDiscoveryClient.ORDER;
    }
}
