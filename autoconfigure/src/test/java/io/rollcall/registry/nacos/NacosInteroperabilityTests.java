package io.rollcall.registry.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import com.alibaba.nacos.api.NacosFactory;
import com.alibaba.nacos.api.PropertyKeyConst;
import com.alibaba.nacos.api.naming.NamingService;
import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.Resolver;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both ways with the client that Spring Cloud Alibaba uses, in the format that it writes, and with writers by HTTP. */
class NacosInteroperabilityTests {

    private final NacosServerProcess server = NacosServerProcess.shared();

    private final String service = "orders-" + UUID.randomUUID();

    @AutoClose
    private final NacosRegistries registries = new NacosRegistries();

    @TempDir
    private static Path snapshots;

    private NamingService stock;

    /** It would log to the home directory of whoever runs the tests. */
    @BeforeAll
    static void keepLogUnchanged() {
        System.setProperty("nacos.logging.default.config.enabled", "false");
    }

    @BeforeEach
    void open() throws Exception {
        Properties properties = new Properties();
        properties.setProperty(PropertyKeyConst.SERVER_ADDR, server.address());
        properties.setProperty("JM.SNAPSHOT.PATH", snapshots.toString());
        stock = NacosFactory.createNamingService(properties);
    }

    @AfterEach
    void shutDown() throws Exception {
        stock.shutDown();
    }

    @Test
    void stockConsumersSeeUs() throws Exception {
        Registrar registrar = NacosRegistries.registrar(registries.open(server.url()));
        registrar.join(new Instance("one", service, "10.0.0.1", 8443, true, Map.of("zone", "a", "weight", "50")));

        await().untilAsserted(() -> assertThat(stock.selectInstances(service, true, false))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.getIp()).isEqualTo("10.0.0.1");
                    assertThat(found.getPort()).isEqualTo(8443);
                    assertThat(found.getWeight()).isEqualTo(0.5);
                    assertThat(found.isEphemeral()).isTrue();
                    assertThat(found.getClusterName()).isEqualTo("DEFAULT");
                    assertThat(found.getMetadata())
                            .containsEntry("preserved.register.source", "SPRING_CLOUD")
                            .containsEntry("secure", "true")
                            .containsEntry("zone", "a")
                            .containsEntry("weight", "50");
                }));

        registrar.leave(new Instance("one", service, "10.0.0.1", 8443, true, Map.of()));

        await().untilAsserted(
                        () -> assertThat(stock.getAllInstances(service, false)).isEmpty());
    }

    @Test
    void weSeeStockProviders() throws Exception {
        Resolver resolver = NacosRegistries.resolver(registries.open(server.url()));
        com.alibaba.nacos.api.naming.pojo.Instance provider = new com.alibaba.nacos.api.naming.pojo.Instance();
        provider.setIp("10.0.0.2");
        provider.setPort(8080);
        provider.setMetadata(Map.of("preserved.register.source", "SPRING_CLOUD", "secure", "true", "v", "1"));
        stock.registerInstance(service, provider);

        await().untilAsserted(() -> assertThat(resolver.lookup(service).instances())
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.address()).isEqualTo("10.0.0.2:8080");
                    assertThat(found.id()).isEqualTo(service + "-10.0.0.2-8080");
                    assertThat(found.secure()).isTrue();
                    assertThat(found.weight()).isEqualTo(100);
                    assertThat(found.metadata()).containsEntry("v", "1");
                }));
    }

    @Test
    void whatCanNotBeUnderstoodHidesNothing() throws Exception {
        Registry registry = registries.open(server.url());
        NacosRegistries.registrar(registry).join(new Instance("good", service, "10.0.0.1", 8080, false, Map.of()));
        server.http(
                "POST",
                "/v1/ns/instance",
                Map.of("serviceName", service, "ip", "not/a host", "port", "1", "ephemeral", "true"));
        server.http(
                "POST",
                "/v1/ns/instance",
                Map.of("serviceName", service, "ip", "10.0.0.9", "port", "9", "ephemeral", "true"));
        Resolver resolver = NacosRegistries.resolver(registry);

        await().untilAsserted(() -> {
            assertThat(resolver.lookup(service).instances())
                    .extracting(Instance::address)
                    .containsExactlyInAnyOrder("10.0.0.1:8080", "10.0.0.9:9");
            assertThat(resolver.lookup(service).rejected()).hasSize(1);
        });
    }

    @Test
    void withSwoolesPrefixItIsAsSwooleWritesIt() throws Exception {
        Registry registry = registries.open(NacosRegistries.definition(
                server.url(), NacosRegistries.TIMING, "swoole_service_", new Credentials(null, null, null)));
        Registrar registrar = NacosRegistries.registrar(registry);
        registrar.join(new Instance("usual", service, "10.0.0.1", 8080, false, Map.of()));
        registrar.join(new Instance("much", service, "10.0.0.2", 8080, false, Map.of("weight", "4000")));
        registrar.join(new Instance("none", service, "10.0.0.3", 8080, false, Map.of("weight", "0")));
        server.http(
                "POST",
                "/v1/ns/instance",
                Map.of("serviceName", "swoole_service_" + service, "ip", "10.0.0.9", "port", "9501", "weight", "40"));

        await().untilAsserted(() -> assertThat(stock.getAllInstances("swoole_service_" + service, false))
                .extracting(
                        com.alibaba.nacos.api.naming.pojo.Instance::getIp,
                        com.alibaba.nacos.api.naming.pojo.Instance::getWeight)
                .containsExactlyInAnyOrder(
                        tuple("10.0.0.1", 100.0),
                        tuple("10.0.0.2", 100.0),
                        tuple("10.0.0.3", 0.0),
                        tuple("10.0.0.9", 40.0)));
        Resolver resolver = NacosRegistries.resolver(registry);
        assertThat(resolver.services()).contains(service);
        await().untilAsserted(() -> assertThat(resolver.lookup(service).instances())
                .extracting(Instance::host, Instance::weight)
                .containsExactlyInAnyOrder(
                        tuple("10.0.0.1", 100), tuple("10.0.0.2", 100), tuple("10.0.0.3", 0), tuple("10.0.0.9", 40)));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registrar.join(new Instance("six", service, "fd00::1", 8080, false, Map.of())))
                .withMessageContaining("IPv4");
    }

    @Test
    void namespacesAndGroupsAreApart() throws Exception {
        Registry other = registries.open(server.url() + "?namespace=team-a&group=blue");
        NacosRegistries.registrar(other).join(new Instance("one", service, "10.0.0.1", 8080, false, Map.of()));

        await().untilAsserted(() -> assertThat(
                        NacosRegistries.resolver(other).lookup(service).instances())
                .hasSize(1));
        for (String query : List.of("", "?namespace=team-a", "?group=blue")) {
            Resolver resolver = NacosRegistries.resolver(registries.open(server.url() + query));
            assertThat(resolver.lookup(service).instances()).as(query).isEmpty();
        }
    }
}
