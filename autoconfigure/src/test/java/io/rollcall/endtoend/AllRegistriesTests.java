package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.servers.RegistryServer;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * One provider and one consumer in every kind of registry at once, under load, while one server after the other is killed, emptied and
 * paused. No call fails, and at no time the provider is missing or there twice.
 */
@Tag("resilience")
class AllRegistriesTests {

    private static final String SERVICE = TestApplication.unique("orders-");

    private static AllServers servers;

    private static ConfigurableApplicationContext provider;

    private static Consumer consumer;

    private Load load;

    private Sampler sampler;

    @BeforeAll
    static void start() {
        servers = new AllServers();
        provider = TestApplication.named(SERVICE)
                .with(ProviderController.class)
                .with(servers.properties().toArray(String[]::new))
                .start();
        consumer = new Consumer(SERVICE, servers.properties());
    }

    @AfterAll
    static void stop() {
        consumer.close();
        provider.close();
        servers.close();
    }

    static Stream<String> kinds() {
        return servers.kinds();
    }

    @BeforeEach
    void startLoad() {
        awaitInAll();
        load = new Load(consumer);
        sampler = new Sampler();
    }

    @AfterEach
    void nothingFailed() throws Exception {
        try (Load stopped = load) {
            assertThat(stopped.stop()).as("failed calls").isEmpty();
            assertThat(sampler.stop())
                    .as("samples without exactly one provider")
                    .isZero();
        }
    }

    private static void awaitInAll() {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> statuses().values().stream()
                        .allMatch(status -> status.state() == RegistrationState.REGISTERED));
        await().atMost(Duration.ofSeconds(60)).until(() -> consumer.findsOneIn(servers.kinds()));
    }

    private static Map<String, RegistrationStatus> statuses() {
        return provider.getBean(RollcallServiceRegistry.class)
                .statuses(provider.getBean(PortRegistrations.class).primary());
    }

    private static void awaitState(String registry, Predicate<RegistrationState> state) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> state.test(statuses().get(registry).state()));
    }

    /** Those that are not hurt stay as they are. */
    private static void assertOthersRegistered(String hurt) {
        assertThat(statuses())
                .allSatisfy((name, status) -> assertThat(
                                name.equals(hurt) || status.state() == RegistrationState.REGISTERED)
                        .as(name + " is " + status)
                        .isTrue());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServerThatIsKilledAndComesBackEmptyIsJoinedAgain(String kind) {
        RegistryServer server = servers.of(kind);

        server.kill();
        awaitState(kind, state -> state == RegistrationState.LOST);
        assertOthersRegistered(kind);
        server.wipe();
        server.start();

        awaitInAll();
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServerThatForgetsEverythingWhileItRunsIsJoinedAgain(String kind) {
        servers.of(kind).wipe();

        awaitInAll();
        assertOthersRegistered("none");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServerThatHangsAndGoesOnIsJoinedAgain(String kind) {
        RegistryServer server = servers.of(kind);

        server.pause();
        try {
            awaitState(kind, state -> state != RegistrationState.REGISTERED);
            assertOthersRegistered(kind);
        } finally {
            server.resume();
        }

        awaitInAll();
    }

    @Test
    void allServersAreKilledAndComeBackEmpty() {
        servers.kinds().map(servers::of).forEach(RegistryServer::kill);
        servers.kinds().forEach(kind -> awaitState(kind, state -> state == RegistrationState.LOST));
        servers.kinds().map(servers::of).parallel().forEach(server -> {
            server.wipe();
            server.start();
        });

        awaitInAll();
    }

    /** Looks the service up every few milliseconds, and counts how often there is not exactly one. */
    private static final class Sampler {

        private final AtomicInteger wrong = new AtomicInteger();

        private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

        private final Future<?> sampling = executor.scheduleAtFixedRate(this::sample, 0, 5, TimeUnit.MILLISECONDS);

        private void sample() {
            if (consumer.found().size() != 1) {
                wrong.incrementAndGet();
            }
        }

        int stop() throws InterruptedException {
            assertThat(sampling.isDone()).as("a look-up has failed").isFalse();
            executor.shutdown();
            assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            return wrong.get();
        }
    }
}
