package io.rollcall.registry.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.servers.ClientProcess;
import io.rollcall.servers.SpringClient;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A whole application with the starter of Spring Cloud Alibaba, and without Rollcall. */
@Tag("resilience")
class StockStarterInteroperabilityTests {

    private final NacosServerProcess server = NacosServerProcess.shared();

    private final String service = "orders-" + UUID.randomUUID();

    private final String theirs = "stock-" + UUID.randomUUID();

    @AutoClose
    private final NacosRegistries registries = new NacosRegistries();

    private final Registry registry = registries.open(server.url());

    @Test
    void findsOursAndIsFound() throws Exception {
        Registrar registrar = NacosRegistries.registrar(registry);
        Resolver resolver = NacosRegistries.resolver(registry);
        Instance secure = new Instance("one", service, "10.0.0.1", 8443, true, Map.of("zone", "a", "weight", "50"));
        Instance idle = new Instance("two", service, "10.0.0.2", 8080, false, Map.of("weight", "0"));
        registrar.join(idle);
        registrar.join(secure);
        try (ClientProcess stock = SpringClient.stock(
                "nacos",
                server.address(),
                theirs,
                "spring.cloud.nacos.discovery.weight=0.25",
                "spring.cloud.nacos.discovery.secure=true",
                "spring.cloud.nacos.discovery.metadata.zone=b")) {
            // The client library itself leaves instances of weight 0 out.
            Map<String, Object> looked = SpringClient.look(stock, service, 1);
            assertThat(looked).containsEntry("listed", true);
            assertThat(SpringClient.instances(looked)).singleElement().satisfies(found -> {
                assertThat(found).contains(entry("uri", "https://10.0.0.1:8443"), entry("secure", true));
                assertThat(SpringClient.metadata(found))
                        .contains(entry("zone", "a"), entry("nacos.weight", "0.5"), entry("nacos.healthy", "true"));
            });

            eventually(() -> assertThat(resolver.lookup(theirs).instances())
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.host()).isEqualTo("127.0.0.1");
                        assertThat(found.secure()).isTrue();
                        assertThat(found.weight()).isEqualTo(25);
                        assertThat(found.metadata()).contains(entry("zone", "b"));
                    }));
            assertThat(resolver.lookup(service).instances())
                    .extracting(Instance::weight)
                    .containsExactlyInAnyOrder(0, 50);
            assertThat(resolver.services()).contains(theirs);

            registrar.leave(secure);
            SpringClient.look(stock, service, 0);

            stock.end();
            eventually(() -> assertThat(resolver.lookup(theirs).instances()).isEmpty());
        }
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
    }
}
