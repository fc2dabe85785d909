package io.rollcall.registry.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
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

/** A whole application with Spring Cloud Consul's starter, and without Rollcall. */
@Tag("resilience")
class StockStarterInteroperabilityTests {

    @AutoClose
    private final ConsulServer server = ConsulServer.running();

    private final String service = "orders-" + UUID.randomUUID();

    private final String theirs = "stock-" + UUID.randomUUID();

    @AutoClose
    private final ConsulClients clients = new ConsulClients();

    private final Registry registry = clients.open(server.url(), Mode.NONE);

    @Test
    void findsOursAndIsFound() throws Exception {
        Registrar registrar = ConsulClients.registrar(registry);
        Resolver resolver = ConsulClients.resolver(registry);
        Instance secure = new Instance("one", service, "10.0.0.1", 8443, true, Map.of("zone", "a", "weight", "50"));
        Instance plain = new Instance("two", service, "fd00::1", 8080, false, Map.of());
        // Checked by renewals: what is called by TLS here has no certificate that an agent could ask for.
        try (ClientProcess stock = SpringClient.stock(
                "consul",
                server.address(),
                theirs,
                "spring.cloud.consul.discovery.scheme=https",
                "spring.cloud.consul.discovery.heartbeat.enabled=true",
                "spring.cloud.consul.discovery.instance-zone=b",
                "spring.cloud.consul.discovery.instance-id=" + theirs + "-1",
                "spring.cloud.consul.discovery.tags=blue",
                "spring.cloud.consul.discovery.metadata.v=1",
                // So that it is cleaned up in a real agent.
                "spring.cloud.consul.discovery.metadata.rollcall-test=true")) {
            registrar.join(secure);
            registrar.join(plain);
            Map<String, Object> looked = SpringClient.look(stock, service, 2);
            assertThat(looked).containsEntry("listed", true);
            assertThat(SpringClient.instances(looked))
                    .anySatisfy(found -> {
                        assertThat(found)
                                .contains(
                                        entry("id", "one"),
                                        entry("uri", "https://10.0.0.1:8443"),
                                        entry("secure", true));
                        assertThat(SpringClient.metadata(found)).contains(entry("zone", "a"), entry("weight", "50"));
                    })
                    .anySatisfy(found -> assertThat(found)
                            .contains(
                                    entry("id", "two"),
                                    entry("uri", "http://[fd00:0:0:0:0:0:0:1]:8080"),
                                    entry("secure", false)));

            eventually(() -> assertThat(resolver.lookup(theirs).instances())
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.id()).isEqualTo(theirs + "-1");
                        assertThat(found.uri()).isEqualTo(URI.create("https://127.0.0.1:" + found.port()));
                        assertThat(found.weight()).isEqualTo(100);
                        assertThat(found.metadata()).contains(entry("zone", "b"), entry("v", "1"));
                    }));
            assertThat(resolver.services()).contains(theirs);

            registrar.leave(secure);
            registrar.leave(plain);
            SpringClient.look(stock, service, 0);

            stock.end();
            eventually(() -> assertThat(resolver.lookup(theirs).instances()).isEmpty());
        }
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
    }
}
