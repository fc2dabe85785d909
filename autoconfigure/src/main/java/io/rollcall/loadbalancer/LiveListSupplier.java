package io.rollcall.loadbalancer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What the application's discovery client says at the moment, asked for each call. An answer from memory is there at once, and
 * costs no timer; one that is not gets a deadline.
 */
final class LiveListSupplier implements ServiceInstanceListSupplier {

    private static final Logger logger = LoggerFactory.getLogger(LiveListSupplier.class);

    private final String serviceId;

    private final ReactiveDiscoveryClient client;

    private final Duration timeout;

    LiveListSupplier(String serviceId, ReactiveDiscoveryClient client, Duration timeout) {
        this.serviceId = serviceId;
        this.client = client;
        this.timeout = timeout;
    }

    @Override
    public String getServiceId() {
        return this.serviceId;
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return Flux.defer(() -> {
            CompletableFuture<List<ServiceInstance>> answer =
                    this.client.getInstances(this.serviceId).collectList().toFuture();
            if (answer.isDone() && !answer.isCompletedExceptionally()) {
                return Flux.just(answer.join());
            }
            return Mono.fromFuture(answer)
                    .timeout(this.timeout)
                    .onErrorResume(this::nothing)
                    .flux();
        });
    }

    /** As Spring Cloud does: callers get to know that there is no instance. */
    private Mono<List<ServiceInstance>> nothing(Throwable failure) {
        logger.debug("No instances of {}: the discovery client failed", this.serviceId, failure);
        return Mono.just(List.of());
    }
}
