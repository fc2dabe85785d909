package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.TestApplication;
import io.rollcall.endtoend.AllServers;
import io.rollcall.servers.RegistryServer;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.context.ConfigurableApplicationContext;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * What a WebFlux application does on its event loop: look-ups there, of names that are asked for the first time and while no registry
 * answers, leave the loop to others.
 */
@Tag("resilience")
class EventLoopTests {

    /** How long a look-up waits that may wait; far longer than it takes to find out whether one does. */
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private static ConfigurableApplicationContext context;

    private final Scheduler loop = Schedulers.newSingle("loop");

    @BeforeAll
    static void start() {
        context = TestApplication.named("consumer")
                .type(WebApplicationType.REACTIVE)
                .with("rollcall.registration.enabled=false")
                .with(AllServers.properties().toArray(String[]::new))
                .with(AllServers.kinds()
                        .map(kind -> "rollcall.registries." + kind + ".timeout=" + PATIENCE)
                        .toArray(String[]::new))
                .start();
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    /** Asks on the loop, and returns when the loop is free again, which says nothing of the answer. */
    private <T> Mono<T> askOnTheLoop(Mono<T> question) {
        Mono<T> cached = question.doOnSubscribe(
                        subscription -> assertThat(Thread.currentThread()).isInstanceOf(NonBlocking.class))
                .subscribeOn(loop)
                .cache();
        cached.subscribe();
        // Comes after the question on the one thread that there is.
        Boolean free = Mono.fromSupplier(() -> true).subscribeOn(loop).block(PATIENCE.dividedBy(3));
        assertThat(free).isTrue();
        return cached;
    }

    @Test
    void firstLookUpsOfHungRegistriesLeaveTheLoopFree() {
        ReactiveDiscoveryClient discovery = context.getBean(ReactiveDiscoveryClient.class);
        @SuppressWarnings("unchecked")
        ReactiveLoadBalancer.Factory<ServiceInstance> balancers = context.getBean(ReactiveLoadBalancer.Factory.class);
        List<RegistryServer> all = AllServers.kinds().map(AllServers::of).toList();
        Mono<List<ServiceInstance>> instances;
        Mono<List<String>> names;
        Mono<Response<ServiceInstance>> choice;
        all.forEach(RegistryServer::pause);
        try {
            instances = askOnTheLoop(
                    discovery.getInstances("nobody-" + UUID.randomUUID()).collectList());
            names = askOnTheLoop(discovery.getServices().collectList());
            choice = askOnTheLoop(Mono.from(
                    balancers.getInstance("nobody-" + UUID.randomUUID()).choose()));
        } finally {
            all.forEach(RegistryServer::resume);
        }

        assertThat(instances.block(PATIENCE)).isEmpty();
        assertThat(names.block(PATIENCE)).isNotNull();
        assertThat(choice.block(PATIENCE).hasServer()).isFalse();
        loop.dispose();
    }
}
