package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Providers are stopped and started again one after the other, under load, with slow calls in flight: no call fails. */
@Tag("resilience")
class RollingRestartTests {

    private static AllServers servers;

    private final String service = TestApplication.unique("orders-");

    @BeforeAll
    static void start() {
        servers = new AllServers();
    }

    @AfterAll
    static void stop() {
        servers.close();
    }

    static Stream<String> kinds() {
        return servers.kinds();
    }

    @Test
    void processesInAllRegistriesThatAreStoppedByASignal() throws Exception {
        List<String> properties = new ArrayList<>(servers.properties());
        properties.add("rollcall.registration.drain-wait=2s");
        List<ProviderProcess> providers = new ArrayList<>();
        try (Consumer consumer = new Consumer(service, servers.properties())) {
            for (int i = 0; i < 3; i++) {
                providers.add(ProviderProcess.start(service, properties));
            }
            awaitFound(consumer, 3);
            try (Load load = new Load(consumer)) {
                for (ProviderProcess provider : providers) {
                    awaitAnswer(load, provider.port());
                    provider.terminate();
                    assertThat(consumer.foundPorts()).doesNotContain(provider.port());
                    provider.start();
                    awaitFound(consumer, 3);
                    awaitAnswer(load, provider.port());
                }
                assertThat(load.stop()).isEmpty();
            }
        } finally {
            providers.forEach(ProviderProcess::close);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void applicationsInOneRegistry(String kind) throws Exception {
        List<String> properties = new ArrayList<>(servers.properties(List.of(kind)));
        List<ConfigurableApplicationContext> providers = new ArrayList<>();
        try (Consumer consumer = new Consumer(service, properties)) {
            for (int i = 0; i < 3; i++) {
                providers.add(startProvider(properties));
            }
            awaitFound(consumer, 3);
            try (Load load = new Load(consumer)) {
                for (int i = 0; i < 3; i++) {
                    awaitAnswer(load, port(providers.get(0)));
                    providers.remove(0).close();
                    awaitFound(consumer, 2);
                    providers.add(startProvider(properties));
                    awaitFound(consumer, 3);
                }
                assertThat(load.stop()).isEmpty();
            }
        } finally {
            providers.forEach(ConfigurableApplicationContext::close);
        }
    }

    private ConfigurableApplicationContext startProvider(List<String> properties) {
        return TestApplication.named(service)
                .with(ProviderController.class)
                .with(properties.toArray(String[]::new))
                .with("rollcall.registration.drain-wait=2s")
                .start();
    }

    private static int port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static void awaitFound(Consumer consumer, int count) {
        await().atMost(Duration.ofSeconds(60)).until(() -> consumer.foundPorts().size() == count);
    }

    /** Waits until calls have come to that provider anew. */
    private static void awaitAnswer(Load load, int port) {
        int before = load.answersOf(port);
        await().atMost(Duration.ofSeconds(60)).until(() -> load.answersOf(port) > before);
    }
}
