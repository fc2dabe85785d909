package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Providers are stopped and started again one after the other, under load, with slow calls in flight: no call fails. */
@Tag("resilience")
class RollingRestartTests {

    private static final String DRAIN_WAIT = "rollcall.registration.drain-wait=2s";

    private final String service = TestApplication.unique("orders-");

    static Stream<String> kinds() {
        return AllServers.kinds();
    }

    @Test
    void processesInAllRegistriesThatAreStoppedByASignal() throws Exception {
        List<String> properties = new ArrayList<>(AllServers.properties());
        properties.add(DRAIN_WAIT);
        List<ProviderProcess> providers = ProviderProcess.start(service, properties, 3);
        try (Consumer consumer = new Consumer(service, AllServers.properties())) {
            awaitFound(consumer, 3);
            try (Load load = new Load(consumer)) {
                for (ProviderProcess provider : providers) {
                    awaitAnswer(load, provider.port());
                    provider.terminate();
                    awaitGone(consumer, provider.port());
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
        List<String> properties = AllServers.properties(List.of(kind));
        ExecutorService starter = Executors.newSingleThreadExecutor();
        List<ConfigurableApplicationContext> providers = new ArrayList<>();
        try (Consumer consumer = new Consumer(service, properties)) {
            for (int i = 0; i < 3; i++) {
                providers.add(startProvider(properties));
            }
            awaitFound(consumer, 3);
            try (Load load = new Load(consumer)) {
                for (int i = 0; i < 3; i++) {
                    awaitAnswer(load, port(providers.get(0)));
                    // The next one is under way while the last one serves what is in flight.
                    Future<ConfigurableApplicationContext> next = starter.submit(() -> startProvider(properties));
                    int stopped = port(providers.get(0));
                    providers.remove(0).close();
                    awaitGone(consumer, stopped);
                    providers.add(next.get());
                    awaitFound(consumer, 3);
                }
                assertThat(load.stop()).isEmpty();
            }
        } finally {
            starter.shutdown();
            providers.forEach(ConfigurableApplicationContext::close);
        }
    }

    private ConfigurableApplicationContext startProvider(List<String> properties) {
        return TestApplication.named(service)
                .with(ProviderController.class)
                .with(properties.toArray(String[]::new))
                .with(DRAIN_WAIT)
                .start();
    }

    private static int port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static void awaitFound(Consumer consumer, int count) {
        await().atMost(Duration.ofMinutes(3)).until(() -> consumer.foundPorts().size() == count);
    }

    private static void awaitGone(Consumer consumer, int port) {
        await().atMost(Duration.ofMinutes(3)).until(() -> !consumer.foundPorts().contains(port));
    }

    /** Waits until calls have come to that provider anew. */
    private static void awaitAnswer(Load load, int port) {
        int before = load.answersOf(port);
        await().atMost(Duration.ofMinutes(3)).until(() -> load.answersOf(port) > before);
    }
}
