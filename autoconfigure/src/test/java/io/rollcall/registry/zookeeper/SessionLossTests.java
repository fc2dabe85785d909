package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.Resolver.Watch;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What becomes of registrations, watches, threads and sockets when sessions end. */
@Tag("resilience")
class SessionLossTests {

    private static final String PATH = "/services/orders/orders-1";

    private static EmbeddedZookeeper zookeeper;

    private final Instance instance = new Instance("orders-1", "orders", "10.0.0.1", 8080, false, Map.of());

    private OwnConnection connection;

    private Registrar registrar;

    private Resolver resolver;

    private ForeignClient foreign;

    @BeforeAll
    static void start() throws Exception {
        zookeeper = new EmbeddedZookeeper();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @BeforeEach
    void open() throws Exception {
        connection = new OwnConnection(
                "loss", new ZookeeperSettings(zookeeper.address(), "", "/services", null), Registries.TIMING);
        ServicePaths paths = new ServicePaths("/services");
        NodeCodec codec = new NodeCodec(new Json());
        registrar = new ZookeeperRegistrar(
                connection, paths, codec, new NodeWriter("", Ids.OPEN_ACL_UNSAFE), Clock.systemUTC());
        resolver = new ZookeeperResolver(connection, paths, codec);
        foreign = new ForeignClient(zookeeper.address());
    }

    @AfterEach
    void close() throws Exception {
        connection.close();
        foreign.close();
        zookeeper.wipe();
    }

    private void expire() throws Exception {
        ForeignClient.expire(zookeeper.address(), connection.session());
    }

    private void joinUntilItSucceeds() {
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            registrar.join(instance);
            return true;
        });
    }

    @Test
    void joiningPutsBackANodeThatWentWithItsSession() throws Exception {
        registrar.join(instance);
        expire();
        assertThat(foreign.stat(PATH)).isNull();

        joinUntilItSucceeds();

        assertThat(foreign.stat(PATH)).isNotNull();
    }

    @Test
    void aWatchTellsThatItWasLostAndANewOneWorks() throws Exception {
        RecordingListener listener = new RecordingListener();
        Watch watch = resolver.watch("orders", listener);

        expire();

        listener.awaitLoss();
        assertThat(listener.losses()).hasSize(1);
        watch.close();
        RecordingListener next = new RecordingListener();
        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
            resolver.watch("orders", next);
            return true;
        });
        joinUntilItSucceeds();
        next.awaitMoreChangesThan(0);
    }

    @Test
    void manyLostSessionsLeaveNothingBehind() throws Exception {
        registrar.join(instance);
        int threads = ownThreads().size();
        long connections = zookeeper.figure("zk_num_alive_connections");
        long watches = zookeeper.figure("zk_watch_count");

        for (int i = 0; i < 10; i++) {
            RecordingListener listener = new RecordingListener();
            await().atMost(Duration.ofSeconds(30)).ignoreExceptions().until(() -> {
                resolver.watch("orders", listener);
                return true;
            });
            expire();
            listener.awaitLoss();
            joinUntilItSucceeds();
        }

        await().untilAsserted(() -> {
            assertThat(ownThreads()).hasSize(threads);
            assertThat(zookeeper.figure("zk_num_alive_connections")).isEqualTo(connections);
            assertThat(zookeeper.figure("zk_watch_count")).isEqualTo(watches);
        });
    }

    @Test
    void allThreadsAreOursAndEndWithTheConnection() throws Exception {
        List<Thread> before = List.copyOf(Thread.getAllStackTraces().keySet());
        registrar.join(instance);
        expire();
        joinUntilItSucceeds();

        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet().stream()
                        .filter(thread -> !before.contains(thread) && !isOfTheTest(thread)))
                .isNotEmpty()
                .allSatisfy(thread -> assertThat(thread.getName()).startsWith("rollcall-loss"))
                .allSatisfy(thread -> assertThat(thread.isDaemon()).isTrue()));

        connection.close();

        await().untilAsserted(() -> assertThat(ownThreads()).isEmpty());
    }

    private static boolean isOfTheTest(Thread thread) {
        return thread.getName().startsWith("NIOWorkerThread")
                || thread.getName().startsWith("awaitility");
    }

    private static List<Thread> ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rollcall-loss"))
                .toList();
    }
}
