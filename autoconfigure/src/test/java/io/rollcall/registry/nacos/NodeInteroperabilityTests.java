package io.rollcall.registry.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.servers.ClientProcess;
import io.rollcall.servers.NodeClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Node's {@code nacos-naming}, which knows nothing of Rollcall and talks to the server by HTTP and UDP, as clients before Nacos 2 do. */
class NodeInteroperabilityTests {

    private final NacosServerProcess server = NacosServerProcess.shared();

    private final String service = "orders-" + UUID.randomUUID();

    @AutoClose
    private final NacosRegistries registries = new NacosRegistries();

    private final Registry registry = registries.open(server.url());

    @Test
    void readsOursAndIsRead() throws Exception {
        Registrar registrar = NacosRegistries.registrar(registry);
        Resolver resolver = NacosRegistries.resolver(registry);
        Instance ours = new Instance("one", service, "10.0.0.1", 8443, true, Map.of("zone", "a", "weight", "50"));
        registrar.join(ours);
        try (ClientProcess node = NodeClient.start("nacos", server.address(), service)) {
            Map<String, Object> told = node.await(line -> ports(line).equals(List.of(8443)));
            assertThat(instances(told)).singleElement().satisfies(found -> {
                assertThat(found)
                        .contains(
                                entry("ip", "10.0.0.1"),
                                entry("weight", 0.5),
                                entry("healthy", true),
                                entry("enabled", true));
                assertThat(found.get("metadata"))
                        .asInstanceOf(InstanceOfAssertFactories.map(String.class, String.class))
                        .contains(entry("zone", "a"), entry("secure", "true"));
            });

            node.send("register 10.0.0.2 8080 0.25 {\"zone\":\"b\"}");
            eventually(() -> assertThat(resolver.lookup(service).instances())
                    .filteredOn(found -> found.port() == 8080)
                    .singleElement()
                    .satisfies(found -> {
                        assertThat(found.host()).isEqualTo("10.0.0.2");
                        assertThat(found.weight()).isEqualTo(25);
                        assertThat(found.secure()).isFalse();
                        assertThat(found.metadata()).contains(entry("zone", "b"));
                    }));
            assertThat(resolver.services()).contains(service);

            registrar.leave(ours);
            node.await(line -> ports(line).equals(List.of(8080)));

            node.send("deregister 10.0.0.2 8080");
            eventually(() -> assertThat(resolver.lookup(service).instances()).isEmpty());
        }
    }

    private static void eventually(ThrowingRunnable assertion) {
        await().atMost(Duration.ofSeconds(30)).untilAsserted(assertion);
    }

    private static List<Object> ports(Map<String, Object> told) {
        return instances(told).stream().map(instance -> instance.get("port")).toList();
    }

    @SuppressWarnings("unchecked")
    private static List<Map<String, Object>> instances(Map<String, Object> told) {
        return (List<Map<String, Object>>) told.get("instances");
    }
}
