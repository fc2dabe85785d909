package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.servers.ClientProcess;
import io.rollcall.servers.NodeClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node's {@code node-zookeeper-client}, used as its consumers do: host, port and ssl of each node's payload. */
class NodeInteroperabilityTests {

    private final ZookeeperProcess server = new ZookeeperProcess();

    private final Registries registries = new Registries();

    @BeforeEach
    void start() {
        server.start();
    }

    @AfterEach
    void stop() {
        registries.close();
        server.close();
    }

    private static Map<String, Object> payload(String host, int port, boolean ssl) {
        return Map.of("host", host, "port", port, "ssl", ssl);
    }

    @Test
    void readsOursAndIsRead() throws Exception {
        Registry registry = registries.open(server.url());
        Instance one = new Instance("one", "orders", "10.0.0.1", 8080, false, Map.of("zone", "a"));
        Instance two = new Instance("two", "orders", "10.0.0.1", 8443, true, Map.of());
        Registries.registrar(registry).join(one);
        try (ClientProcess node = NodeClient.start("zookeeper", server.address(), "/services/orders")) {
            awaitInstances(node, List.of(payload("10.0.0.1", 8080, false)));

            Registries.registrar(registry).join(two);
            node.await(told -> told.get("instances") instanceof List<?> instances
                    && instances.size() == 2
                    && instances.contains(payload("10.0.0.1", 8443, true)));
            Registries.registrar(registry).leave(two);
            await().until(() -> last(node).equals(List.of(payload("10.0.0.1", 8080, false))));

            RecordingListener listener = new RecordingListener();
            try (Watch watch = Registries.resolver(registry).watch("orders", listener)) {
                assertThat(watch).isNotNull();
                int before = listener.changes();
                node.send("create node-1 {\"payload\":{\"host\":\"10.0.0.2\",\"port\":9501,\"ssl\":false}}");
                listener.awaitMoreChangesThan(before);
                assertThat(Registries.resolver(registry).lookup("orders").instances())
                        .contains(new Instance("node-1", "orders", "10.0.0.2", 9501, false, Map.of()));

                int after = listener.changes();
                node.send("remove node-1");
                listener.awaitMoreChangesThan(after);
                await().untilAsserted(() -> assertThat(
                                Registries.resolver(registry).lookup("orders").instances())
                        .containsExactly(one));
            }
        }
    }

    private static void awaitInstances(ClientProcess node, List<Map<String, Object>> expected) {
        node.await(told -> expected.equals(told.get("instances")));
    }

    private static Object last(ClientProcess node) {
        List<Map<String, Object>> told = node.told();
        return told.get(told.size() - 1).get("instances");
    }
}
