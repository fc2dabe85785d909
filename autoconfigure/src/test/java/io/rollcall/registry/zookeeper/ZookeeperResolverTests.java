package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.Resolver.Watch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ZookeeperResolverTests {

    private static EmbeddedZookeeper zookeeper;

    private final Registries registries = new Registries();

    private Registrar registrar;

    private Resolver resolver;

    @BeforeAll
    static void start() throws Exception {
        zookeeper = new EmbeddedZookeeper();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @BeforeEach
    void open() {
        Registry registry = registries.open(zookeeper.url());
        registrar = Registries.registrar(registry);
        resolver = Registries.resolver(registries.open(zookeeper.url()));
    }

    @AfterEach
    void close() throws Exception {
        registries.close();
        zookeeper.wipe();
    }

    private static Instance instance(int port) {
        return new Instance("orders-" + port, "orders", "10.0.0.1", port, false, Map.of());
    }

    @Test
    void anUnknownServiceHasNoIncarnationAndAKnownOneAlwaysTheSame() throws Exception {
        assertThat(resolver.lookup("orders").incarnation()).isNull();
        registrar.join(instance(1));
        String incarnation = resolver.lookup("orders").incarnation();
        registrar.join(instance(2));
        registrar.leave(instance(1));
        registrar.leave(instance(2));

        Listing empty = resolver.lookup("orders");

        assertThat(incarnation).isNotNull();
        assertThat(empty.incarnation()).isEqualTo(incarnation);
        assertThat(empty.instances()).isEmpty();
        assertThat(empty.freshFor()).isNull();
    }

    @Test
    void aServiceWhoseNodeTheServerRemovesWithItsLastInstanceHasNotLostItsData() throws Exception {
        registrar.join(instance(1));
        Resolver other = Registries.resolver(registries.open(zookeeper.url()));
        String incarnation = resolver.lookup("orders").incarnation();
        registrar.leave(instance(1));
        try (ForeignClient server = new ForeignClient(zookeeper.address())) {
            server.zookeeper().delete("/services/orders", -1);
        }

        assertThat(resolver.lookup("orders").incarnation()).isNotNull().isEqualTo(incarnation);
        assertThat(other.lookup("orders").incarnation()).isNull();
        registrar.join(instance(1));
        assertThat(resolver.lookup("orders").incarnation()).isNotNull().isNotEqualTo(incarnation);
    }

    @Test
    void readsManyInstancesOverOneConnection() throws Exception {
        for (int port = 1; port <= 500; port++) {
            registrar.join(instance(port));
        }
        long connections = zookeeper.figure("zk_num_alive_connections");

        assertThat(resolver.lookup("orders").instances()).hasSize(500);
        assertThat(zookeeper.figure("zk_num_alive_connections")).isEqualTo(connections + 1);
    }

    @Test
    void watchesAreGoneFromTheServerWhenTheyAreClosedAndLeaveNoNodes() throws Exception {
        long before = zookeeper.figure("zk_watch_count");
        long nodes = zookeeper.figure("zk_znode_count");
        List<Watch> watches = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            watches.add(resolver.watch("unknown-" + i, new RecordingListener()));
        }
        assertThat(zookeeper.figure("zk_watch_count")).isEqualTo(before + 300);
        assertThat(zookeeper.figure("zk_znode_count")).isEqualTo(nodes);

        watches.forEach(Watch::close);

        await().untilAsserted(
                        () -> assertThat(zookeeper.figure("zk_watch_count")).isEqualTo(before));
    }

    @Test
    void oneOfTwoWatchesOfAServiceEndsAlone() throws Exception {
        RecordingListener first = new RecordingListener();
        RecordingListener second = new RecordingListener();
        Watch closed = resolver.watch("orders", first);
        try (Watch open = resolver.watch("orders", second)) {
            assertThat(open).isNotNull();
            closed.close();

            registrar.join(instance(1));

            second.awaitMoreChangesThan(0);
            assertThat(first.changes()).isZero();
            assertThat(second.losses()).isEmpty();
        }
    }

    @Test
    void aWatchBeginsAgainAfterTheLastOneOfItsServiceWasClosed() throws Exception {
        RecordingListener listener = new RecordingListener();
        for (int i = 0; i < 20; i++) {
            resolver.watch("orders", new RecordingListener()).close();
        }

        try (Watch watch = resolver.watch("orders", listener)) {
            assertThat(watch).isNotNull();
            registrar.join(instance(1));

            listener.awaitMoreChangesThan(0);
        }
    }

    @Test
    void aWatchOfANameThatCanNotBeTellsNothing() throws Exception {
        RecordingListener listener = new RecordingListener();

        resolver.watch("a/b", listener).close();

        assertThat(listener.losses()).isEmpty();
    }

    @Test
    void aWatchSurvivesARestartOfTheServerAndTellsOfItsNewConnection() throws Exception {
        RecordingListener listener = new RecordingListener();
        try (Watch watch = resolver.watch("orders", listener)) {
            assertThat(watch).isNotNull();

            zookeeper.restart();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> listener.changes() + listener.losses().size() > 0);
            assertThat(listener.losses()).isEmpty();
            int before = listener.changes();
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
                registrar.join(instance(1));
                return true;
            });

            listener.awaitMoreChangesThan(before);
        }
    }
}
