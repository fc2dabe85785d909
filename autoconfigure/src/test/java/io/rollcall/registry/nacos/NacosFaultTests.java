package io.rollcall.registry.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.Resolver;
import io.rollcall.servers.Ports;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens to the server, to the connection and to what operators do. */
@Tag("resilience")
class NacosFaultTests {

    private static final Timing BRIEF = new Timing(Duration.ofSeconds(1), Duration.ofSeconds(3), Duration.ofSeconds(1));

    private final NacosServerProcess server = NacosServerProcess.shared();

    private final String service = "orders-" + UUID.randomUUID();

    @AutoClose
    private final NacosRegistries registries = new NacosRegistries();

    private Instance instance(int port) {
        return new Instance("id-" + port, service, "127.0.0.1", port, false, Map.of("weight", "100"));
    }

    private void change(String... pairs) {
        Map<String, String> parameters =
                new TreeMap<>(Map.of("serviceName", service, "ip", "127.0.0.1", "port", "8081", "metadata", "{}"));
        for (int i = 0; i < pairs.length; i += 2) {
            parameters.put(pairs[i], pairs[i + 1]);
        }
        // Persisted by Raft, which elects its leader some time after the start.
        await().atMost(Duration.ofSeconds(30))
                .ignoreExceptions()
                .until(() -> server.http("PUT", "/v1/ns/instance", parameters).equals("ok"));
    }

    @Test
    void isBackAfterTheServerHasRestartedWithoutData() throws Exception {
        Registry registry = registries.open(server.url(), BRIEF);
        Registrar registrar = NacosRegistries.registrar(registry);
        Resolver resolver = NacosRegistries.resolver(registry);
        registrar.join(instance(8081));
        AtomicInteger lost = new AtomicInteger();
        resolver.watch(service, new Resolver.WatchListener() {

            @Override
            public void changed() {}

            @Override
            public void lost(Exception cause) {
                lost.incrementAndGet();
            }
        });
        String before = resolver.lookup(service).incarnation();

        server.kill();
        assertThatExceptionOfType(Exception.class).isThrownBy(() -> registrar.join(instance(8081)));
        assertThatExceptionOfType(Exception.class).isThrownBy(() -> resolver.lookup(service));
        server.start();

        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().untilAsserted(() -> {
            registrar.join(instance(8081));
            assertThat(resolver.lookup(service).instances()).hasSize(1);
        });
        assertThat(resolver.lookup(service).incarnation()).isNotEqualTo(before);
        assertThat(lost).hasValue(1);
    }

    @Test
    void aPausedServerHoldsNobodyUpForLongerThanTheTimeout() throws Exception {
        Registry registry = registries.open(server.url(), BRIEF);
        Registrar registrar = NacosRegistries.registrar(registry);
        Resolver resolver = NacosRegistries.resolver(registry);
        registrar.join(instance(8081));
        resolver.lookup(service);

        server.pause();
        try {
            assertThatExceptionOfType(Exception.class).isThrownBy(() -> registrar.join(instance(8081)));
            assertThatExceptionOfType(Exception.class).isThrownBy(() -> resolver.lookup(service));
        } finally {
            server.resume();
        }

        await().atMost(Duration.ofSeconds(30)).ignoreExceptions().untilAsserted(() -> {
            registrar.join(instance(8081));
            assertThat(resolver.lookup(service).instances()).hasSize(1);
        });
    }

    @Test
    void whatHasLeftStaysAway() throws Exception {
        Registry registry = registries.open(server.url());
        Registrar registrar = NacosRegistries.registrar(registry);
        Resolver resolver = new SettledResolver(NacosRegistries.resolver(registries.open(server.url())));

        for (int i = 0; i < 20; i++) {
            Thread joining = new Thread(() -> {
                try {
                    registrar.join(instance(8081));
                } catch (Exception ex) {
                    // Given up, as the core gives up a join when it is asked to leave.
                    Thread.currentThread().interrupt();
                }
            });
            joining.start();
            joining.join(i * 5L + 1);
            joining.interrupt();
            joining.join();
            server.wipe();
            await().ignoreExceptions().until(() -> {
                registrar.leave(instance(8081));
                return true;
            });
        }

        await().ignoreExceptions()
                .untilAsserted(
                        () -> assertThat(resolver.lookup(service).instances()).isEmpty());
        // Longer than the client library's own repetitions take.
        await().during(Duration.ofSeconds(5))
                .atMost(Duration.ofSeconds(20))
                .until(() -> resolver.lookup(service).instances().isEmpty());
    }

    /** What fails there would show in the application's log, and the default handler may even end the application. */
    @Test
    void failsOnNoThreadOfItsOwnWhileThereIsNoServer() throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> failures.add(failure));
        try {
            Registrar registrar =
                    NacosRegistries.registrar(registries.open("nacos://127.0.0.1:" + Ports.reserve(), BRIEF));
            for (int i = 0; i < 100; i++) {
                assertThatExceptionOfType(Exception.class).isThrownBy(() -> registrar.join(instance(8081)));
            }
            registries.close();
            await().atMost(Duration.ofSeconds(20))
                    .untilAsserted(() -> assertThat(clientThreads()).isEmpty());
            assertThat(failures).isEmpty();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    @Test
    void whatIsInterruptedWhileItConnectsLeavesNoConnection() throws Exception {
        for (int millis = 0; millis < 200; millis += 5) {
            Registrar registrar = NacosRegistries.registrar(registries.open(server.url()));
            Thread joining = new Thread(() -> {
                try {
                    registrar.join(instance(8081));
                } catch (Exception ex) {
                    // As it may be: it has been given up.
                    Thread.currentThread().interrupt();
                }
            });
            joining.start();
            joining.join(millis + 1);
            joining.interrupt();
            joining.join();
            registries.close();
        }

        await().atMost(Duration.ofSeconds(5))
                .untilAsserted(() -> assertThat(clientConnections()).isEmpty());
    }

    /** Of this process to the server, as the system tells them. */
    private List<String> clientConnections() throws IOException {
        Path self = Path.of("/proc/self/net");
        assumeTrue(Files.exists(self), "only Linux tells which connections there are");
        String remote = ":%04X 01 ".formatted(server.port() + 1000);
        List<String> connections = new ArrayList<>();
        for (String table : List.of("tcp", "tcp6")) {
            Files.readAllLines(self.resolve(table)).stream()
                    .filter(line -> line.contains(remote))
                    .forEach(connections::add);
        }
        return connections;
    }

    @Test
    void whatOperatorsSetStaysAndIsShown() throws Exception {
        Registrar registrar = NacosRegistries.registrar(registries.open(server.url()));
        Resolver resolver = new SettledResolver(NacosRegistries.resolver(registries.open(server.url())));
        registrar.join(instance(8081));

        change("weight", "0.5", "enabled", "true");
        await().until(() -> resolver.lookup(service).instances().get(0).weight() == 50);
        registrar.join(instance(8081));
        server.wipe();
        await().ignoreExceptions().untilAsserted(() -> {
            registrar.join(instance(8081));
            assertThat(resolver.lookup(service).instances())
                    .singleElement()
                    .extracting(Instance::weight)
                    .isEqualTo(50);
        });

        change("weight", "0", "enabled", "true");
        await().until(() -> resolver.lookup(service).instances().get(0).weight() == 0);

        change("weight", "1", "enabled", "false");
        await().until(() -> resolver.lookup(service).instances().isEmpty());
        registrar.join(instance(8081));
        assertThat(resolver.lookup(service).instances()).isEmpty();
    }

    @Test
    void leavesNoThreadsAndNoFiles() throws Exception {
        Map<Path, FileTime> before = files();
        for (int i = 0; i < 20; i++) {
            Registry registry = registries.open(server.url());
            NacosRegistries.registrar(registry).join(instance(8081));
            NacosRegistries.resolver(registry).lookup(service);
            assertThat(clientThreads()).isNotEmpty();
            NacosRegistries.registrar(registry).leave(instance(8081));
            registries.close();
        }

        await().atMost(Duration.ofSeconds(20))
                .untilAsserted(() -> assertThat(clientThreads()).isEmpty());
        assertThat(files()).isEqualTo(before);
    }

    /** What the client library's own naming service would write: its snapshots and its log. */
    private static Map<Path, FileTime> files() throws IOException {
        Map<Path, FileTime> files = new TreeMap<>();
        for (String folder : List.of("nacos", "logs/nacos")) {
            Path root = Path.of(System.getProperty("user.home")).resolve(folder);
            if (Files.exists(root)) {
                try (Stream<Path> found = Files.walk(root)) {
                    for (Path file : found.toList()) {
                        files.put(file, Files.getLastModifiedTime(file));
                    }
                }
            }
        }
        return files;
    }

    /** All that the client has per connection; the network library's threads are shared by all its users in the process. */
    private static Set<String> clientThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("rollcall-nacos") || name.startsWith("com.alibaba.nacos"))
                .collect(Collectors.toSet());
    }
}
