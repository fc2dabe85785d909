package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.endtoend.AllServers;
import io.rollcall.servers.ServerProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/** One application in all registries whose configuration file changes while it runs, and is read anew by Spring Cloud's endpoint. */
@Tag("resilience")
class RefreshTests {

    private static final String SERVICE = TestApplication.unique("orders-");

    private static final Path FILE = ServerProcess.directory("refresh").resolve("changing.properties");

    private static final List<String> REGISTRIES = List.of("redis", "zookeeper", "etcd", "consul");

    private static Observer observer;

    private static ConfigurableApplicationContext application;

    private static RestClient actuator;

    @BeforeAll
    static void start() {
        observer = new Observer(AllServers.properties(REGISTRIES));
        configure("rollcall.max-concurrency=10");
        application = TestApplication.named(SERVICE)
                .with(AllServers.properties(REGISTRIES).toArray(String[]::new))
                .with("spring.config.import=file:" + FILE)
                .start();
        actuator = RestClient.create(
                "http://127.0.0.1:" + application.getEnvironment().getProperty("local.server.port") + "/actuator");
    }

    @AfterAll
    static void stop() {
        application.close();
        observer.close();
    }

    private static void configure(String... lines) {
        ServerProcess.write(FILE, String.join("\n", lines));
    }

    private static void refresh(String... lines) {
        configure(lines);
        assertThat(actuator.post().uri("/refresh").retrieve().toBodilessEntity().getStatusCode())
                .matches(status -> status.is2xxSuccessful());
    }

    private static void operate(Map<String, Object> body) {
        actuator.post()
                .uri("/registrations")
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .retrieve()
                .toBodilessEntity();
    }

    private static double limit() {
        Map<?, ?> metric = actuator.get()
                .uri("/metrics/rollcall.concurrency.limit")
                .retrieve()
                .body(Map.class);
        return ((Number) ((Map<?, ?>) ((List<?>) metric.get("measurements")).get(0)).get("value")).doubleValue();
    }

    private static void awaitEverywhere(String key, String value) {
        await().atMost(Duration.ofSeconds(120)).until(() -> observer.listsOneEverywhere(SERVICE, key, value));
    }

    @BeforeEach
    void begin() {
        refresh("rollcall.max-concurrency=10");
        awaitEverywhere("weight", "100");
    }

    @Test
    void twentyRefreshesApplyWhatChangedAndTheEntryIsNeverAway() throws Exception {
        PresenceSampler sampler = new PresenceSampler(observer, SERVICE);
        for (int round = 1; round <= 20; round++) {
            refresh(
                    "rollcall.instance.weight=" + round,
                    "rollcall.instance.metadata.round=" + round,
                    "rollcall.max-concurrency=" + (10 + round));

            awaitEverywhere("round", Integer.toString(round));
            awaitEverywhere("weight", Integer.toString(round));
            assertThat(limit()).isEqualTo(10 + round);
        }

        refresh("rollcall.max-concurrency=5");

        awaitEverywhere("round", null);
        awaitEverywhere("weight", "100");
        assertThat(limit()).isEqualTo(5);
        sampler.stop();
    }

    @Test
    void anOperatorsWeightStaysUntilTheConfiguredOneChanges() {
        operate(Map.of("weight", 7));
        awaitEverywhere("weight", "7");

        refresh("rollcall.instance.metadata.colour=blue");
        awaitEverywhere("colour", "blue");
        assertThat(observer.listsOneEverywhere(SERVICE, "weight", "7")).isTrue();

        refresh("rollcall.instance.weight=9", "rollcall.instance.metadata.colour=blue");
        awaitEverywhere("weight", "9");
        assertThat(observer.listsOneEverywhere(SERVICE, "colour", "blue")).isTrue();
    }

    @Test
    void whatAnOperatorTookOfflineStaysSoAndComesBackAsConfiguredSince() {
        operate(Map.of("state", "offline"));
        await().until(() -> observer.listsNoneAnywhere(SERVICE));

        refresh("rollcall.instance.weight=9");
        await().during(Duration.ofSeconds(2)).until(() -> observer.listsNoneAnywhere(SERVICE));

        operate(Map.of("state", "online"));
        awaitEverywhere("weight", "9");
    }

    @Test
    void anInvalidSettingChangesNothing() {
        refresh(
                "rollcall.instance.weight=99999",
                "rollcall.instance.metadata.colour=red",
                "rollcall.max-concurrency=0");

        await().during(Duration.ofSeconds(1))
                .until(() -> observer.listsOneEverywhere(SERVICE, "weight", "100")
                        && observer.listsOneEverywhere(SERVICE, "colour", null));
        assertThat(limit()).isPositive();

        refresh("rollcall.instance.weight=8", "rollcall.max-concurrency=3");
        awaitEverywhere("weight", "8");
        assertThat(limit()).isEqualTo(3);
    }
}
