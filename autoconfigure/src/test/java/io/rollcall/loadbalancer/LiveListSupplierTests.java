package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.TestApplication;
import io.rollcall.discovery.LiveServices;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Flux;

class LiveListSupplierTests {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

    private final AtomicInteger asked = new AtomicInteger();

    private volatile List<ServiceInstance> known = Instances.list(2);

    private final class OtherClients implements ServiceInstanceListSupplier {

        @Override
        public String getServiceId() {
            return "elsewhere";
        }

        @Override
        public Flux<List<ServiceInstance>> get() {
            return Flux.defer(() -> {
                asked.incrementAndGet();
                return Flux.just(known);
            });
        }
    }

    @Test
    void asksOtherDiscoveryClientsOnceInAWhile() {
        TestApplication application = TestApplication.named("caller")
                .type(WebApplicationType.NONE)
                .with("rollcall.registries.one.url=" + TestApplication.unique("memory:"))
                .with("rollcall.registration.enabled=false");
        try (ConfigurableApplicationContext context = application.start()) {
            LiveListSupplier supplier =
                    new LiveListSupplier(context.getBean(LiveServices.class), new OtherClients(), clock::get);
            for (int i = 0; i < 10; i++) {
                assertThat(supplier.get().blockFirst()).isSameAs(known);
            }
            assertThat(asked).hasValue(1);

            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            known = List.of(Instances.instance(7, Map.of()));
            assertThat(supplier.get().blockFirst()).isSameAs(known);
            assertThat(asked).hasValue(2);

            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            known = List.of();
            assertThat(supplier.get().blockFirst()).isEmpty();
            // That nobody knows it yet is not kept.
            assertThat(supplier.get().blockFirst()).isEmpty();
            assertThat(asked).hasValue(4);
        }
    }
}
