package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.rollcall.TestApplication;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.servers.Footprint;
import io.rollcall.servers.RegistryServer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.cloud.client.discovery.event.InstanceRegisteredEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

/**
 * One provider and one consumer in every kind of registry at once, under load, while one server after the other is killed, emptied and
 * paused. No call fails, at no time the provider is missing or there twice, every registration comes back, and in the end the process
 * holds no more threads and connections than in the beginning.
 */
@Tag("resilience")
class AllRegistriesTests {

    private static final String SERVICE = TestApplication.unique("orders-");

    /** Attempts are at least half an interval apart, so that two intervals have four at most. */
    private static final int ATTEMPTS_IN_TWO_INTERVALS = 4;

    /**
     * Those that come and go with the load, with the wait of a test and with child processes, and those of the Redis client, which starts
     * the second of its two when it is first needed.
     */
    private static final List<String> OTHER_THREADS = List.of(
            "http-nio",
            "HttpClient",
            "pool-",
            "reactor",
            "ForkJoinPool",
            "awaitility",
            "process reaper",
            "Thread-",
            "rollcall-redis-eventExecutorLoop");

    private static ConfigurableApplicationContext provider;

    private static Consumer consumer;

    private static Footprint atFirst;

    private Load load;

    private Sampler sampler;

    @BeforeAll
    static void start() throws Exception {
        String[] properties = AllServers.properties().toArray(String[]::new);
        provider = TestApplication.named(SERVICE)
                .with(ProviderController.class, RegisteredCounter.class)
                .with(properties)
                .start();
        consumer = new Consumer(SERVICE, List.of(properties));
        awaitInAll();
        try (Load load = new Load(consumer)) {
            await().atMost(Duration.ofMinutes(3)).until(() -> load.calls() > 300);
            assertThat(load.stop()).isEmpty();
        }
        atFirst = footprint();
        assertThat(atFirst.threads().keySet()).anyMatch(name -> name.startsWith("rollcall-"));
        assertThat(atFirst.sockets().isEmpty()).isNotEqualTo(Footprint.SEES_SOCKETS);
    }

    @AfterAll
    static void holdsNoMoreThanAtFirstAndStops() {
        try {
            // Client libraries end what is idle after up to a minute.
            await().atMost(Duration.ofSeconds(90))
                    .untilAsserted(() -> assertThat(footprint().beyond(atFirst)).isEmpty());
        } finally {
            consumer.close();
            provider.close();
        }
    }

    private static Footprint footprint() {
        int port = provider.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        return Footprint.now(port).withoutThreads(OTHER_THREADS);
    }

    static Stream<String> kinds() {
        return AllServers.kinds();
    }

    /** Counts an event that comes once, whatever the number of registries and however often they are joined again. */
    static class RegisteredCounter {

        private final AtomicInteger count = new AtomicInteger();

        @EventListener
        void on(InstanceRegisteredEvent<?> event) {
            count.incrementAndGet();
        }
    }

    @BeforeEach
    void startLoad() {
        awaitInAll();
        load = new Load(consumer);
        sampler = new Sampler(consumer, found -> found.size() == 1);
    }

    @AfterEach
    void nothingFailed() throws Exception {
        try (Load stopped = load) {
            assertThat(stopped.stop()).as("failed calls").isEmpty();
            assertThat(sampler.stop())
                    .as("samples without exactly one provider")
                    .isZero();
        }
        assertThat(provider.getBean(RegisteredCounter.class).count).hasValue(1);
    }

    private static void awaitInAll() {
        kinds().forEach(kind -> awaitState(kind, state -> state == RegistrationState.REGISTERED));
        await().atMost(Duration.ofMinutes(3)).until(() -> consumer.findsOneIn(kinds()));
    }

    private static Map<String, RegistrationStatus> statuses() {
        return provider.getBean(RollcallServiceRegistry.class)
                .statuses(provider.getBean(PortRegistrations.class).primary());
    }

    private static void awaitState(String kind, Predicate<RegistrationState> state) {
        await(kind)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> state.test(statuses().get(kind).state()));
    }

    /** However it fails, by a refused connection or by an answer that does not come. */
    private static void awaitFailing(String kind) {
        awaitState(kind, state -> state != RegistrationState.REGISTERED);
    }

    /** Those that are not hurt are renewed as before. */
    private static void awaitRenewalInAllBut(String hurt) {
        Instant now = Instant.now();
        kinds().filter(kind -> !kind.equals(hurt))
                .forEach(kind -> await(kind)
                        .atMost(Duration.ofMinutes(3))
                        .until(() -> isJoinedAfter(now, statuses().get(kind))));
    }

    private static boolean isJoinedAfter(Instant time, RegistrationStatus status) {
        return status.state() == RegistrationState.REGISTERED
                && Objects.requireNonNull(status.lastSuccess()).isAfter(time);
    }

    private static long failedAttempts(String kind) {
        Timer timer = provider.getBean(MeterRegistry.class)
                .find("rollcall.join")
                .tags("registry", kind, "outcome", "failure")
                .timer();
        return timer == null ? 0 : timer.count();
    }

    /** From when the server answers again. */
    private static void awaitRejoined(String kind, TestReporter reporter) {
        Instant start = Instant.now();
        long failed = failedAttempts(kind);

        await(kind)
                .atMost(Duration.ofMinutes(3))
                .pollInterval(Duration.ofMillis(10))
                .until(() -> isJoinedAfter(start, statuses().get(kind)));

        long failedSince = failedAttempts(kind) - failed;
        long millis = Duration.between(start, Instant.now()).toMillis();
        reporter.publishEntry("back in " + kind, millis + " ms, " + failedSince + " failed attempts");
        assertThat(failedSince)
                .as("failed attempts since " + kind + " answers again")
                .isLessThanOrEqualTo(ATTEMPTS_IN_TWO_INTERVALS);
        // What the server itself says, since the consumer may not have noticed anything.
        await(kind)
                .atMost(Duration.ofMinutes(3))
                .ignoreExceptions()
                .untilAsserted(() -> assertThat(listedIn(kind)).hasSize(1));
        awaitInAll();
    }

    private static List<Instance> listedIn(String kind) throws Exception {
        Registry registry =
                consumer.context().getBean(Registries.class).named(kind).orElseThrow();
        return Objects.requireNonNull(registry.resolver()).lookup(SERVICE).instances();
    }

    @Test
    void isTheSameInAllRegistries() throws Exception {
        Instance expected = listedIn("redis").get(0);

        for (String kind : kinds().toList()) {
            assertThat(listedIn(kind))
                    .as(kind)
                    .singleElement()
                    .usingRecursiveComparison()
                    .isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServerThatIsKilledAndComesBackEmptyIsJoinedAgain(String kind, TestReporter reporter) {
        RegistryServer server = AllServers.of(kind);

        server.kill();
        try {
            awaitFailing(kind);
            awaitRenewalInAllBut(kind);
        } finally {
            server.wipe();
            server.start();
        }

        awaitRejoined(kind, reporter);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServerThatForgetsEverythingWhileItRunsIsJoinedAgain(String kind, TestReporter reporter) {
        AllServers.of(kind).wipe();

        awaitRejoined(kind, reporter);
        awaitRenewalInAllBut("none");
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aServerThatHangsAndGoesOnIsJoinedAgain(String kind, TestReporter reporter) {
        RegistryServer server = AllServers.of(kind);

        server.pause();
        try {
            awaitFailing(kind);
            awaitRenewalInAllBut(kind);
        } finally {
            server.resume();
        }

        awaitRejoined(kind, reporter);
    }

    @Test
    void allServersAreKilledAndComeBackEmpty() {
        kinds().map(AllServers::of).forEach(RegistryServer::kill);
        try {
            kinds().forEach(kind -> awaitState(kind, state -> state == RegistrationState.LOST));
        } finally {
            kinds().toList().parallelStream().map(AllServers::of).forEach(server -> {
                server.wipe();
                server.start();
            });
        }

        awaitInAll();
    }
}
