package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.curator.x.discovery.ServiceInstance;
import org.apache.curator.x.discovery.details.JsonInstanceSerializer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.zookeeper.discovery.ZookeeperInstance;
import org.springframework.cloud.zookeeper.serviceregistry.ServiceInstanceRegistration;
import org.springframework.cloud.zookeeper.serviceregistry.ZookeeperRegistration;

/** The stock classes of Spring Cloud ZooKeeper and Curator read what we write, and write what we read. */
class StockInteroperabilityTests {

    private static EmbeddedZookeeper zookeeper;

    private static StockSpringCloud stock;

    private final Registries registries = new Registries();

    private Registrar registrar;

    private Resolver resolver;

    @BeforeAll
    static void start() throws Exception {
        zookeeper = new EmbeddedZookeeper();
        stock = new StockSpringCloud(zookeeper.address());
    }

    @AfterAll
    static void stop() {
        stock.close();
        zookeeper.close();
    }

    @BeforeEach
    void open() {
        Registry registry = registries.open(zookeeper.url());
        registrar = Registries.registrar(registry);
        resolver = Registries.resolver(registry);
    }

    @AfterEach
    void close() throws Exception {
        registries.close();
        zookeeper.wipe();
    }

    @Test
    void stockDiscoveryReadsOurInstances() throws Exception {
        registrar.join(new Instance("orders-1", "orders", "10.0.0.1", 8080, false, Map.of("zone", "ä", "weight", "7")));

        assertThat(stock.services()).contains("orders");
        assertThat(stock.instances("orders")).singleElement().satisfies(instance -> {
            assertThat(instance.getInstanceId()).isEqualTo("orders-1");
            assertThat(instance.getHost()).isEqualTo("10.0.0.1");
            assertThat(instance.getPort()).isEqualTo(8080);
            assertThat(instance.isSecure()).isFalse();
            assertThat(instance.getUri()).isEqualTo(URI.create("http://10.0.0.1:8080"));
            assertThat(instance.getMetadata())
                    .containsExactlyInAnyOrderEntriesOf(Map.of("zone", "ä", "weight", "7", "instance_status", "UP"));
        });
    }

    @Test
    void stockDiscoveryCallsOursByTls() throws Exception {
        registrar.join(new Instance("orders-1", "orders", "10.0.0.1", 8443, true, Map.of()));

        assertThat(stock.instances("orders")).singleElement().satisfies(instance -> {
            assertThat(instance.isSecure()).isTrue();
            assertThat(instance.getPort()).isEqualTo(8443);
            assertThat(instance.getUri()).isEqualTo(URI.create("https://10.0.0.1:8443"));
        });
    }

    @Test
    void stockDiscoveryCallsOursByIpv6() throws Exception {
        registrar.join(new Instance("orders-1", "orders", "fd00::1", 8080, false, Map.of()));

        assertThat(stock.instances("orders")).singleElement().satisfies(instance -> {
            assertThat(instance.getHost()).isEqualTo("fd00::1");
            assertThat(instance.getUri()).isEqualTo(URI.create("http://[fd00::1]:8080"));
        });
    }

    @Test
    void weReadTheStockRegistration() throws Exception {
        ZookeeperRegistration registration = stock.registration(ServiceInstanceRegistration.builder()
                .name("orders")
                .address("10.0.0.1")
                .port(8080)
                .payload(new ZookeeperInstance("application", "orders", new LinkedHashMap<>(Map.of("zone", "b")))));
        stock.registry().register(registration);

        assertThat(resolver.services()).contains("orders");
        assertThat(resolver.lookup("orders").instances()).singleElement().satisfies(instance -> {
            assertThat(instance.id())
                    .isEqualTo(registration.getServiceInstance().getId());
            assertThat(instance.address()).isEqualTo("10.0.0.1:8080");
            assertThat(instance.secure()).isFalse();
            assertThat(instance.metadata()).containsExactly(Map.entry("zone", "b"));
        });
    }

    @Test
    void weReadTheStockRegistrationForTls() throws Exception {
        stock.registry()
                .register(stock.registration(ServiceInstanceRegistration.builder()
                        .name("orders")
                        .address("10.0.0.1")
                        .port(8080)
                        .sslPort(8443)
                        .payload(new ZookeeperInstance("application", "orders", new LinkedHashMap<>()))));

        assertThat(resolver.lookup("orders").instances()).singleElement().satisfies(instance -> {
            assertThat(instance.address()).isEqualTo("10.0.0.1:8443");
            assertThat(instance.secure()).isTrue();
        });
    }

    @Test
    void weFollowTheStockStatus() throws Exception {
        ZookeeperRegistration registration = stock.registration(ServiceInstanceRegistration.builder()
                .name("orders")
                .address("10.0.0.1")
                .port(8080)
                .payload(new ZookeeperInstance("application", "orders", new LinkedHashMap<>())));
        stock.registry().register(registration);

        stock.registry().setStatus(registration, "OUT_OF_SERVICE");
        Listing outOfService = resolver.lookup("orders");
        stock.registry().setStatus(registration, "UP");

        assertThat(outOfService.instances()).isEmpty();
        assertThat(outOfService.rejected()).isEmpty();
        assertThat(resolver.lookup("orders").instances()).hasSize(1);
    }

    @Test
    void weReadCuratorRegistrationsWithoutPayload() throws Exception {
        stock.discovery()
                .registerService(ServiceInstance.<ZookeeperInstance>builder()
                        .name("orders")
                        .address("10.0.0.1")
                        .port(8080)
                        .build());

        assertThat(resolver.lookup("orders").instances())
                .extracting(Instance::address)
                .containsExactly("10.0.0.1:8080");
    }

    @Test
    @SuppressWarnings("unchecked")
    void ourEntryHasTheFieldsOfTheStockOneAndThoseOfNodeReaders() throws Exception {
        Json json = new Json();
        Map<String, Object> stockEntry = json.readObject(new JsonInstanceSerializer<>(ZookeeperInstance.class)
                .serialize(ServiceInstance.<ZookeeperInstance>builder()
                        .name("orders")
                        .id("orders-1")
                        .address("10.0.0.1")
                        .port(8080)
                        .payload(new ZookeeperInstance(
                                "orders-1",
                                "orders",
                                new LinkedHashMap<>(Map.of("zone", "a", "instance_status", "UP"))))
                        .registrationTimeUTC(1_700_000_000_000L)
                        .uriSpec(new org.apache.curator.x.discovery.UriSpec("{scheme}://{address}:{port}"))
                        .build()));

        byte[] written = new NodeCodec(json)
                .write(
                        new Instance("orders-1", "orders", "10.0.0.1", 8080, false, Map.of("zone", "a")),
                        1_700_000_000_000L);

        Map<String, Object> entry = json.readObject(written);
        Map<String, Object> payload = new LinkedHashMap<>((Map<String, Object>) entry.get("payload"));
        assertThat(payload.remove("host")).isEqualTo("10.0.0.1");
        assertThat(payload.remove("port")).isEqualTo(8080);
        assertThat(payload.remove("ssl")).isEqualTo(false);
        entry.put("payload", payload);
        assertThat(entry).isEqualTo(stockEntry);
        assertThat(new String(written, StandardCharsets.UTF_8))
                .startsWith(
                        "{\"name\":\"orders\",\"id\":\"orders-1\",\"address\":\"10.0.0.1\",\"port\":8080,\"sslPort\":null,"
                                + "\"payload\":{\"@class\":\"org.springframework.cloud.zookeeper.discovery.ZookeeperInstance\",");
    }
}
