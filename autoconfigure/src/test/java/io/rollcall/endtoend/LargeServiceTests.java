package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStateChangedEvent;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.etcd.EtcdServerProcess;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.EventListener;

/** A stranger fills a service with entries that nobody can call; {@code -Drollcall.test.entries=100000} makes them more. */
@Tag("resilience")
@ExtendWith(OutputCaptureExtension.class)
class LargeServiceTests {

    private static final int ENTRIES = Integer.getInteger("rollcall.test.entries", 20_000);

    /** What is logged singly of a registry's bad records. */
    private static final int LOGGED = 1000;

    @AutoClose
    private final RedisServerProcess redis = RedisServerProcess.running();

    @AutoClose
    private final ZookeeperProcess zookeeper = new ZookeeperProcess();

    @AutoClose
    private final EtcdServerProcess etcd = EtcdServerProcess.running("--max-txn-ops=1000");

    private final String service = TestApplication.unique("orders-");

    @Test
    void theGoodOneStaysListedAndRegistered(CapturedOutput output) throws Exception {
        zookeeper.start();
        try (ConfigurableApplicationContext context = start()) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> states(context).stream().allMatch(state -> state == RegistrationState.REGISTERED));
            assertThat(context.getBean(DiscoveryClient.class).getInstances(service))
                    .hasSize(1);
            StateChanges changes = context.getBean(StateChanges.class);
            changes.seen.clear();

            ManyEntries.inRedis(redis.port(), service, ENTRIES);
            ManyEntries.inZookeeper(zookeeper.address(), service, ENTRIES);
            ManyEntries.inEtcd(etcd.port(), service, ENTRIES);
            for (String registry : List.of("redis", "zookeeper", "etcd")) {
                await().atMost(Duration.ofSeconds(120))
                        .until(() -> output.getOut()
                                .contains("Skipping " + (ENTRIES - LOGGED) + " more records of " + service + " in "
                                        + registry));
            }

            assertThat(context.getBean(DiscoveryClient.class).getInstances(service))
                    .singleElement()
                    .extracting("registries")
                    .isEqualTo(List.of("redis", "zookeeper", "etcd"));
            assertThat(changes.seen).as("changes of a registration's state").isEmpty();
            assertThat(output.getOut().lines().filter(line -> line.contains("Skipping ")))
                    .hasSizeLessThan(3 * LOGGED + 200);
        }
    }

    private ConfigurableApplicationContext start() {
        TestApplication application = TestApplication.named(service)
                .with(StateChanges.class)
                .with(
                        "rollcall.discovery.order=redis,zookeeper,etcd",
                        "rollcall.discovery.watch-delay=1s",
                        "rollcall.registries.redis.url=" + redis.url(),
                        "rollcall.registries.zookeeper.url=" + zookeeper.url(),
                        "rollcall.registries.etcd.url=" + etcd.url());
        for (String registry : List.of("redis", "zookeeper", "etcd")) {
            application.with(
                    "rollcall.registries." + registry + ".interval=1s",
                    "rollcall.registries." + registry + ".ttl=60s",
                    "rollcall.registries." + registry + ".timeout=30s");
        }
        return application.start();
    }

    private static List<RegistrationState> states(ConfigurableApplicationContext context) {
        return context
                .getBean(RollcallServiceRegistry.class)
                .statuses(context.getBean(PortRegistrations.class).primary())
                .values()
                .stream()
                .map(status -> status.state())
                .toList();
    }

    static final class StateChanges {

        private final Queue<RegistrationStateChangedEvent> seen = new ConcurrentLinkedQueue<>();

        @EventListener
        void changed(RegistrationStateChangedEvent event) {
            seen.add(event);
        }
    }
}
