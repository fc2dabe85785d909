package io.rollcall.registry.eureka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Spring Cloud Netflix reads what we write, and writes what we read. */
class StockInteroperabilityTests {

    private static final String STOCK = "stock-" + UUID.randomUUID();

    private static final EurekaServerProcess server = EurekaServerProcess.shared();

    private static StockSpringCloud stock;

    @AutoClose
    private final Registries registries = new Registries();

    private final Registrar registrar = registries.registrar(server.url());

    private final Resolver resolver = registries.resolver(server.url());

    private final String service = "orders-" + UUID.randomUUID();

    @BeforeAll
    static void start() {
        stock = new StockSpringCloud(server.http() + "/", STOCK);
    }

    @AfterAll
    static void stop() {
        stock.close();
    }

    private static ConditionFactory eventually() {
        return await().atMost(Duration.ofSeconds(30));
    }

    private Instance ours(String host, int port, boolean secure) {
        return new Instance(
                service + "-" + host + "-" + port, service, host, port, secure, Map.of("zone", "ä", "weight", "7"));
    }

    @Test
    void stockDiscoveryFindsOursWithAllOfItsContentAndNoticesItsLeaving() throws Exception {
        Instance ours = ours("10.0.0.1", 8081, false);
        registrar.join(ours);

        eventually()
                .untilAsserted(() -> assertThat(stock.instances(service.toUpperCase(Locale.ROOT)))
                        .singleElement()
                        .satisfies(instance -> {
                            assertThat(instance.getInstanceId()).isEqualTo(ours.id());
                            assertThat(instance.getServiceId()).isEqualToIgnoringCase(service);
                            assertThat(instance.getHost()).isEqualTo("10.0.0.1");
                            assertThat(instance.getPort()).isEqualTo(8081);
                            assertThat(instance.isSecure()).isFalse();
                            assertThat(instance.getUri()).isEqualTo(URI.create("http://10.0.0.1:8081"));
                            assertThat(instance.getMetadata())
                                    .containsExactlyInAnyOrderEntriesOf(Map.of("zone", "ä", "weight", "7"));
                        }));
        assertThat(stock.services()).contains(service);

        registrar.leave(ours);

        eventually().until(() -> stock.instances(service).isEmpty());
    }

    @Test
    void stockDiscoveryCallsOursByTlsAndByIpv6() throws Exception {
        registrar.join(ours("10.0.0.1", 8443, true));
        registrar.join(ours("fd00::1", 8080, false));

        eventually()
                .untilAsserted(() -> assertThat(stock.instances(service))
                        .extracting(instance -> instance.getUri().toString())
                        .containsExactlyInAnyOrder("https://10.0.0.1:8443", "http://[fd00::1]:8080"));
        assertThat(resolver.lookup(service).instances())
                .extracting(Instance::uri)
                .containsExactlyInAnyOrder(URI.create("https://10.0.0.1:8443"), URI.create("http://[fd00::1]:8080"));
    }

    @Test
    void weReadTheStockRegistrationByAnyCaseAndNoticeItsLeaving() {
        String name = "Stock-" + UUID.randomUUID();
        try (StockSpringCloud provider = new StockSpringCloud(
                server.http() + "/",
                name,
                "eureka.instance.secure-port-enabled=true",
                "eureka.instance.non-secure-port-enabled=false",
                "eureka.instance.secure-port=8443")) {
            eventually()
                    .untilAsserted(() -> assertThat(resolver.lookup(name.toLowerCase(Locale.ROOT))
                                    .instances())
                            .singleElement()
                            .satisfies(instance -> {
                                assertThat(instance.id())
                                        .isEqualTo(provider.info().getInstanceId());
                                assertThat(instance.service()).isEqualTo(name.toLowerCase(Locale.ROOT));
                                assertThat(instance.uri()).isEqualTo(URI.create("https://10.0.0.1:8443"));
                                assertThat(instance.metadata()).containsEntry("zone", "b");
                            }));
        }

        eventually().until(() -> resolver.lookup(name).instances().isEmpty());
    }

    @Test
    void weNameTheStockService() {
        eventually().until(() -> resolver.services().contains(STOCK));
        eventually()
                .untilAsserted(() -> assertThat(resolver.lookup(STOCK).instances())
                        .extracting(Instance::address)
                        .containsExactly("10.0.0.1:8080"));
    }

    @Test
    void ourEntryHasTheFieldsOfTheStockOne() throws Exception {
        eventually().until(() -> resolver.services().contains(STOCK));
        Map<String, Object> stockEntry = entry(STOCK, STOCK + "-stock");
        Instance ours = ours("10.0.0.1", 8080, false);
        registrar.join(ours);
        Map<String, Object> ourEntry = entry(service, ours.id());

        assertThat(ourEntry.keySet()).containsExactlyInAnyOrderElementsOf(stockEntry.keySet());
        for (String same : new String[] {
            "hostName",
            "status",
            "overriddenStatus",
            "port",
            "securePort",
            "countryId",
            "dataCenterInfo",
            "isCoordinatingDiscoveryServer",
            "homePageUrl",
            "statusPageUrl",
            "healthCheckUrl",
            "actionType"
        }) {
            assertThat(ourEntry.get(same)).as(same).isEqualTo(stockEntry.get(same));
        }
        assertThat(ourEntry)
                .containsEntry("app", EurekaServer.application(service))
                .containsEntry("vipAddress", service)
                .containsEntry("secureVipAddress", service);
        assertThat(stockEntry)
                .containsEntry("app", EurekaServer.application(STOCK))
                .containsEntry("vipAddress", STOCK);
    }

    private static Map<String, Object> entry(String service, String id) {
        String answer = server.send("GET", "/apps/" + EurekaServer.application(service) + "/" + id, null);
        return new InstanceCodec(new Json()).instance(answer.getBytes(StandardCharsets.UTF_8));
    }
}
