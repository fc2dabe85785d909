package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.discovery.LiveServices;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** What it costs that there are very many services. */
class ManyServicesTests {

    private static final int MANY = 1000;

    private static long watches(EmbeddedZookeeper zookeeper) throws Exception {
        return zookeeper.figure("zk_watch_count");
    }

    private static long connections(EmbeddedZookeeper zookeeper) throws Exception {
        return zookeeper.figure("zk_num_alive_connections");
    }

    private static Op node(String path, String data) {
        return Op.create(path, data.getBytes(StandardCharsets.UTF_8), Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
    }

    @Test
    void oneConnectionIsEnoughForAllAndOnlyThoseInUseAreWatched() throws Exception {
        try (EmbeddedZookeeper zookeeper = new EmbeddedZookeeper();
                ForeignClient foreign = new ForeignClient(zookeeper.address())) {
            List<Op> nodes = new ArrayList<>();
            nodes.add(node("/services", ""));
            for (int i = 0; i < MANY; i++) {
                nodes.add(node("/services/service-" + i, ""));
                nodes.add(
                        node("/services/service-" + i + "/one", "{\"address\":\"10.0.0.1\",\"port\":" + (1 + i) + "}"));
            }
            foreign.zookeeper().multi(nodes);
            long connectionsBefore = connections(zookeeper);
            long watchesBefore = watches(zookeeper);
            try (ConfigurableApplicationContext context = TestApplication.named("gateway")
                    .type(WebApplicationType.NONE)
                    .with("rollcall.registries.zk.url=" + zookeeper.url(), "rollcall.registration.enabled=false")
                    .start()) {
                LiveServices services = context.getBean(LiveServices.class);
                await().untilAsserted(() -> assertThat(services.getServices()).hasSize(MANY));
                assertThat(services.getInstances("service-7")).hasSize(1);
                await().untilAsserted(() -> assertThat(watches(zookeeper)).isEqualTo(watchesBefore + 1));
                assertThat(connections(zookeeper)).isEqualTo(connectionsBefore + 1);

                await().until(() -> IntStream.range(0, MANY)
                                .map(i -> services.peekInstances("service-" + i).size())
                                .sum()
                        == MANY);
                await().untilAsserted(() -> assertThat(watches(zookeeper)).isEqualTo(watchesBefore + MANY));
                assertThat(connections(zookeeper)).isEqualTo(connectionsBefore + 1);
            }
        }
    }
}
