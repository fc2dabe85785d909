package io.rollcall.discovery;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

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
        return answer(() -> services.findInstances(serviceId))
                .timeout(services.getPatience(), Mono.fromSupplier(() -> services.giveUpWaiting(serviceId)))
                .flatMapIterable(List::copyOf);
    }

    @Override
    public Flux<String> getServices() {
        return answer(services::findServices)
                .timeout(services.getPatience(), Mono.fromSupplier(services::peekServices))
                .flatMapIterable(List::copyOf);
    }

    /** Whoever goes on with a first answer may take its time, which the thread that has read it from the registry has not. */
    private static <T> Mono<T> answer(Supplier<CompletableFuture<T>> asked) {
        return Mono.defer(() -> {
            CompletableFuture<T> answer = asked.get();
            Mono<T> mono = Mono.fromFuture(answer, true);
            return answer.isDone() ? mono : mono.publishOn(Schedulers.boundedElastic());
        });
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
