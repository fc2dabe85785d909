package io.rollcall.loadbalancer;

import io.rollcall.discovery.LiveServices;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.publisher.Flux;

/**
 * The live list as it is, without a copy. Where there is none, the application's discovery clients are asked, as Spring Cloud does
 * it: they wait for a first answer, and know what other registries than Rollcall's list. What those list is kept for a moment,
 * since such a client may ask its registry each time.
 */
final class LiveListSupplier extends DelegatingServiceInstanceListSupplier {

    private static final long KEPT_NANOS = Duration.ofSeconds(1).toNanos();

    private final LiveServices services;

    private final LongSupplier nanoClock;

    private volatile @Nullable Kept kept;

    LiveListSupplier(LiveServices services, ServiceInstanceListSupplier discoveryClients, LongSupplier nanoClock) {
        super(discoveryClients);
        this.services = services;
        this.nanoClock = nanoClock;
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return Flux.defer(() -> {
            List<ServiceInstance> live = services.peekInstances(getServiceId());
            if (!live.isEmpty()) {
                return Flux.just(live);
            }
            Kept others = kept;
            return others != null && nanoClock.getAsLong() - others.since() < KEPT_NANOS
                    ? Flux.just(others.instances())
                    : delegate.get().doOnNext(this::keep);
        });
    }

    /** Not what is on the live list by now, which is better, nor that there is nobody, which may change with the next call. */
    private void keep(List<ServiceInstance> instances) {
        if (!instances.isEmpty() && services.peekInstances(getServiceId()).isEmpty()) {
            kept = new Kept(instances, nanoClock.getAsLong());
        }
    }

    private record Kept(List<ServiceInstance> instances, long since) {}
}
