package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.discovery.LiveServices;
import io.rollcall.discovery.RegistryView;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.servers.RegistryServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * All registries are gone at once while a consumer makes 200 calls a second. {@code -Drollcall.test.outage=PT10M} makes it as long as
 * an outage really is.
 */
@Tag("resilience")
class OutageTests {

    private static final Duration OUTAGE = Duration.parse(System.getProperty("rollcall.test.outage", "PT15S"));

    private static final String SERVICE = TestApplication.unique("orders-");

    private static final int MOST_LINES = 20;

    /** Threads of the test's own calls come and go; clients that leave threads behind do so at every attempt to connect. */
    private static final int THREADS_MORE_OR_LESS = 20;

    @TempDir
    private static Path directory;

    private static final List<String> KINDS = AllServers.kinds().toList();

    private static ConfigurableApplicationContext provider;

    private static Consumer consumer;

    @BeforeAll
    static void start() throws Exception {
        provider = startProvider();
        consumer = new Consumer(SERVICE, consumerProperties());
    }

    @AfterAll
    static void stop() {
        consumer.close();
        provider.close();
    }

    private static List<String> consumerProperties() {
        List<String> properties = new ArrayList<>(AllServers.properties());
        properties.add("rollcall.discovery.snapshot.directory=" + directory);
        // What is found after the outage is found by watches that have outlived it.
        properties.add("rollcall.discovery.watch-delay=1h");
        return properties;
    }

    @Test
    void allServersAreKilled(TestReporter reporter) throws Exception {
        survives(RegistryServer::kill, RegistryServer::start, reporter);
    }

    @Test
    void allServersHang(TestReporter reporter) throws Exception {
        survives(RegistryServer::pause, RegistryServer::resume, reporter);
    }

    private static void survives(
            java.util.function.Consumer<RegistryServer> hurt,
            java.util.function.Consumer<RegistryServer> heal,
            TestReporter reporter)
            throws Exception {
        awaitInAll(consumer);
        awaitSnapshot();
        int port = provider.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
        try (Load load = new Load(consumer);
                HealthProbe health = new HealthProbe(port)) {
            await().atMost(Duration.ofSeconds(60)).until(() -> health.count() >= 20);
            reporter.publishEntry("health before", health.summary());
            try (LogRecorder log = new LogRecorder()) {
                AllServers.forAll(KINDS, hurt);
                awaitStates(state -> state == RegistrationState.LOST);
                int threads = Thread.activeCount();
                await().pollDelay(OUTAGE).atMost(OUTAGE.plusSeconds(60)).until(() -> true);
                int threadsAfterwards = Thread.activeCount();

                assertThat(load.failures()).as("failed calls").isEmpty();
                assertThat(log.isRecording()).isTrue();
                KINDS.forEach(kind -> assertThat(log.about(kind)).as(kind).hasSizeLessThan(MOST_LINES));
                assertThat(log.aboutNone(KINDS)).hasSizeLessThan(MOST_LINES);
                // A health check that called a registry that hangs would take 2 s every time; a busy machine does so at
                // times.
                assertThat(health.failures()).isEmpty();
                assertThat(health.percentile(0.1)).isLessThan(Duration.ofSeconds(2));
                assertThat(threadsAfterwards).isLessThan(threads + THREADS_MORE_OR_LESS);
                reporter.publishEntry(Map.of(
                        "calls", String.valueOf(load.calls()),
                        "lines of the log", log.byLogger().toString(),
                        "health", health.summary(),
                        "threads", threads + ", then " + threadsAfterwards));
            }
            try (Consumer newcomer = new Consumer(SERVICE, consumerProperties())) {
                assertThat(newcomer.get(0)).isEqualTo(port);
                assertThat(views(newcomer)).isNotEmpty().allMatch(view -> view.state() == RegistryView.State.SNAPSHOT);

                AllServers.forAll(KINDS, heal);
                awaitInAll(newcomer);
                await().atMost(Duration.ofSeconds(60))
                        .until(() -> views(newcomer).allMatch(view -> view.state() == RegistryView.State.LIVE));
            }
            awaitInAll(consumer);
            assertThat(load.stop()).as("failed calls").isEmpty();
            assertThatWatchesWork();
        }
    }

    /** Whoever comes and goes is noticed in every registry. */
    private static void assertThatWatchesWork() {
        try (ConfigurableApplicationContext second = startProvider()) {
            assertThat(second.isActive()).isTrue();
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> consumer.found().size() == 2
                            && consumer.found().stream().allMatch(OutageTests::isInAll));
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> consumer.findsOneIn(AllServers.kinds()));
    }

    private static boolean isInAll(ServiceInstance instance) {
        return instance.toString().endsWith("in " + KINDS);
    }

    private static ConfigurableApplicationContext startProvider() {
        return TestApplication.named(SERVICE)
                .with(ProviderController.class)
                .with(AllServers.properties().toArray(String[]::new))
                .start();
    }

    /** All that the consumer knows is on disk. */
    private static void awaitSnapshot() {
        await().atMost(Duration.ofSeconds(30)).until(() -> {
            try (Stream<Path> files = Files.list(directory)) {
                Optional<Path> file = files.filter(path -> path.toString().endsWith(".snapshot"))
                        .findFirst();
                String content = file.isPresent() ? Files.readString(file.get()) : "";
                return KINDS.stream().allMatch(kind -> content.contains("\"registry\":\"" + kind + "\""));
            }
        });
    }

    private static Stream<RegistryView> views(Consumer consumer) {
        return consumer.context().getBean(LiveServices.class).snapshot().stream()
                .filter(service -> service.service().equals(SERVICE))
                .flatMap(service -> service.views().stream());
    }

    private static void awaitInAll(Consumer consumer) {
        awaitStates(state -> state == RegistrationState.REGISTERED);
        await().atMost(Duration.ofSeconds(60)).until(() -> consumer.findsOneIn(AllServers.kinds()));
    }

    private static void awaitStates(Predicate<RegistrationState> state) {
        await().atMost(Duration.ofSeconds(90))
                .until(() -> statuses().values().stream()
                        .map(RegistrationStatus::state)
                        .allMatch(state));
    }

    private static Map<String, RegistrationStatus> statuses() {
        return provider.getBean(RollcallServiceRegistry.class)
                .statuses(provider.getBean(PortRegistrations.class).primary());
    }
}
