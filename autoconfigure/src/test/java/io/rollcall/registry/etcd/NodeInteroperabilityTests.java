package io.rollcall.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.etcd.EtcdClients.Listener;
import io.rollcall.servers.ClientProcess;
import io.rollcall.servers.NodeClient;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Node's {@code etcd3}, which knows nothing of Rollcall. */
class NodeInteroperabilityTests {

    @AutoClose
    private final EtcdServerProcess server = EtcdServerProcess.running();

    @AutoClose
    private final EtcdClients clients = new EtcdClients();

    private final Registry registry = clients.registry(server.url());

    @BeforeAll
    static void install() {
        NodeClient.install();
    }

    @Test
    void readsOursAndIsRead() throws Exception {
        registry.registrar().join(new Instance("before", "orders", "10.0.0.1", 8080, false, Map.of("zone", "a")));
        try (ClientProcess node = NodeClient.start("etcd3", "http://127.0.0.1:" + server.port(), "/orders/")) {
            Map<String, Object> there = node.await(told -> "/orders/10.0.0.1:8080".equals(told.get("there")));
            assertThat(value(there)).contains(entry("Addr", "10.0.0.1:8080"), entry("Metadata", Map.of("zone", "a")));
            node.await(told -> told.containsKey("ready"));

            registry.registrar().join(new Instance("later", "orders", "10.0.0.1", 8081, false, Map.of()));
            Map<String, Object> put = node.await(told -> "/orders/10.0.0.1:8081".equals(told.get("put")));
            assertThat(value(put)).contains(entry("Addr", "10.0.0.1:8081"));

            registry.registrar().leave(new Instance("later", "orders", "10.0.0.1", 8081, false, Map.of()));
            node.await(told -> "/orders/10.0.0.1:8081".equals(told.get("delete")));

            Listener listener = new Listener();
            try (Watch watch = registry.resolver().watch("orders", listener)) {
                assertThat(watch).isNotNull();
                node.send("put /orders/10.0.0.2:80 30 {\"Addr\":\"10.0.0.2:80\",\"Metadata\":{\"weight\":50}}");
                await().until(() -> listener.changes.get() > 0);
                await().untilAsserted(() -> assertThat(
                                registry.resolver().lookup("orders").instances())
                        .contains(new Instance(
                                "orders-10.0.0.2-80", "orders", "10.0.0.2", 80, false, Map.of("weight", "50"))));
                int before = listener.changes.get();

                node.send("delete /orders/10.0.0.2:80");

                await().until(() -> listener.changes.get() > before);
                await().untilAsserted(() -> assertThat(
                                registry.resolver().lookup("orders").instances())
                        .extracting(Instance::port)
                        .containsExactly(8080));
            }
        }
    }

    @SuppressWarnings("unchecked")
    private static Map<String, Object> value(Map<String, Object> told) {
        return (Map<String, Object>) told.get("value");
    }
}
