package io.rollcall.registry.eureka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import io.rollcall.servers.ClientProcess;
import io.rollcall.servers.SpringClient;
import java.net.URI;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A whole application with Spring Cloud Netflix's starter, and without Rollcall. */
@Tag("resilience")
class StockStarterInteroperabilityTests {

    private final EurekaServerProcess server = EurekaServerProcess.shared();

    private final String service = "orders-" + UUID.randomUUID();

    private final String theirs = "stock-" + UUID.randomUUID();

    @AutoClose
    private final Registries registries = new Registries();

    private final Registrar registrar = registries.registrar(server.url());

    private final Resolver resolver = registries.resolver(server.url());

    @Test
    void findsOursAndIsFound() throws Exception {
        Instance secure = new Instance("one", service, "10.0.0.1", 8443, true, Map.of("zone", "a", "weight", "50"));
        try (ClientProcess stock = SpringClient.stock(
                "eureka",
                "127.0.0.1:" + server.port(),
                theirs,
                "eureka.client.registry-fetch-interval-seconds=1",
                "eureka.client.initial-instance-info-replication-interval-seconds=0",
                "eureka.instance.instance-id=" + theirs + "-1",
                "eureka.instance.metadata-map.zone=b",
                "eureka.instance.metadata-map.weight=0")) {
            registrar.join(secure);
            Map<String, Object> looked = SpringClient.look(stock, service, 1);
            assertThat(looked).containsEntry("listed", true);
            assertThat(SpringClient.instances(looked)).singleElement().satisfies(found -> {
                assertThat(found)
                        .contains(entry("id", "one"), entry("uri", "https://10.0.0.1:8443"), entry("secure", true));
                assertThat(SpringClient.metadata(found)).contains(entry("zone", "a"), entry("weight", "50"));
            });

            eventually(() -> assertThat(resolver.lookup(theirs).instances())
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.id()).isEqualTo(theirs + "-1");
                        assertThat(found.uri()).isEqualTo(URI.create("http://127.0.0.1:" + found.port()));
                        assertThat(found.weight()).isZero();
                        assertThat(found.metadata()).contains(entry("zone", "b"));
                    }));
            eventually(() -> assertThat(resolver.services()).contains(theirs));

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
