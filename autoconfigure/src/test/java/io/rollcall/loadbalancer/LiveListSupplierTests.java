package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

class LiveListSupplierTests {

    @Test
    void answersAtOnceOrLater() {
        assertThat(supplier(Flux.fromIterable(Instances.list(2))).get().blockFirst())
                .hasSize(2);
        Flux<ServiceInstance> later =
                Flux.defer(() -> Flux.fromIterable(Instances.list(3))).subscribeOn(Schedulers.boundedElastic());
        assertThat(supplier(later).get().blockFirst()).hasSize(3);
    }

    @Test
    void hasNoInstancesIfTheClientFailsOrHangs() {
        assertThat(supplier(Flux.error(new IllegalStateException("failed")))
                        .get()
                        .blockFirst())
                .isEmpty();
        assertThat(supplier(Mono.<ServiceInstance>never().flux()).get().blockFirst())
                .isEmpty();
    }

    private static LiveListSupplier supplier(Flux<ServiceInstance> answer) {
        ReactiveDiscoveryClient client = new ReactiveDiscoveryClient() {
            @Override
            public String description() {
                return "test";
            }

            @Override
            public Flux<ServiceInstance> getInstances(String serviceId) {
                return answer;
            }

            @Override
            public Flux<String> getServices() {
                return Flux.empty();
            }
        };
        return new LiveListSupplier("svc", client, Duration.ofMillis(50));
    }
}
