package io.rollcall.loadbalancer;

import io.rollcall.discovery.LiveServices;
import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.publisher.Flux;

/**
 * The live list as it is, without a copy. Where there is none, the application's discovery clients are asked, as Spring Cloud does
 * it: they wait for a first answer, and know what other registries than Rollcall's list.
 */
final class LiveListSupplier extends DelegatingServiceInstanceListSupplier {

    private final LiveServices services;

    LiveListSupplier(LiveServices services, ServiceInstanceListSupplier discoveryClients) {
        super(discoveryClients);
        this.services = services;
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return Flux.defer(() -> {
            List<ServiceInstance> live = services.peekInstances(getServiceId());
            return live.isEmpty() ? delegate.get() : Flux.just(live);
        });
    }
}
