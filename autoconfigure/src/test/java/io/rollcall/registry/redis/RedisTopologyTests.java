package io.rollcall.registry.redis;

import static io.rollcall.registry.redis.RedisClients.definition;
import static io.rollcall.registry.redis.RedisClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Registry;
import io.rollcall.registry.redis.RedisServerProcess.RawConnection;
import io.rollcall.servers.Ports;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.RegistryThread;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.time.Duration;
import java.util.Base64;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** A Redis behind sentinels, in a cluster, behind TLS. */
class RedisTopologyTests {

    @TempDir
    private Path directory;

    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    @AutoClose
    private final RedisClients clients = new RedisClients(beans);

    @Test
    void findsTheMasterByItsSentinels() throws Exception {
        try (RedisServerProcess master = RedisServerProcess.running()) {
            Path configuration = directory.resolve("sentinel.conf");
            Files.writeString(
                    configuration,
                    "bind 127.0.0.1\nsentinel monitor main 127.0.0.1 " + master.port() + " 1\n"
                            + "sentinel down-after-milliseconds main 1000\n");
            try (RedisServerProcess sentinel =
                    RedisServerProcess.running(configuration.toString(), "--port", "{port}", "--sentinel")) {
                String url = "redis-sentinel://127.0.0.1:" + Ports.reserve() + ",127.0.0.1:" + sentinel.port()
                        + "/main?db=2";
                Registry registry = clients.registry(url);

                await().untilAsserted(() -> registry.registrar().join(instance("orders", "one", 8081)));

                assertThat(registry.resolver().lookup("orders").instances()).hasSize(1);
                assertThat(clients.registry(master.url() + "/2").resolver().services())
                        .containsExactly("orders");
            }
        }
    }

    @Test
    void aSentinelThatHangsDoesNotHideTheOthers() throws Exception {
        try (RedisServerProcess master = RedisServerProcess.running();
                ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
                Alarms alarms = new Alarms()) {
            Path configuration = directory.resolve("sentinel.conf");
            Files.writeString(
                    configuration,
                    "bind 127.0.0.1\nsentinel monitor main 127.0.0.1 " + master.port() + " 1\n"
                            + "sentinel down-after-milliseconds main 1000\n");
            try (RedisServerProcess sentinel =
                    RedisServerProcess.running(configuration.toString(), "--port", "{port}", "--sentinel")) {
                String url = "redis-sentinel://127.0.0.1:" + hanging.getLocalPort() + ",127.0.0.1:" + sentinel.port()
                        + "/main";
                Registry registry = clients.registry(url);
                RegistryThread calls = new RegistryThread("calls", RedisClients.TIMING.timeout(), alarms);

                await().ignoreExceptions()
                        .untilAsserted(() -> calls.call(() -> {
                            registry.registrar().join(instance("orders", "one", 8081));
                            return true;
                        }));
            }
        }
    }

    @Test
    void worksInACluster() throws Exception {
        try (RedisServerProcess node = RedisServerProcess.running("--cluster-enabled", "yes")) {
            try (RawConnection raw = node.raw()) {
                raw.send("CLUSTER ADDSLOTS "
                        + IntStream.range(0, 8192).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
                raw.readUntil("OK");
                raw.send("CLUSTER ADDSLOTS "
                        + IntStream.range(8192, 16384).mapToObj(String::valueOf).collect(Collectors.joining(" ")));
                raw.readUntil("OK");
                await().untilAsserted(() -> {
                    raw.send("CLUSTER INFO");
                    assertThat(raw.readUntil("cluster_state")).last().isEqualTo("cluster_state:ok");
                });
            }
            LettuceConnectionFactory factory = new LettuceConnectionFactory(
                    new RedisClusterConfiguration().clusterNode(new RedisNode("127.0.0.1", node.port())));
            factory.afterPropertiesSet();
            try {
                beans.addBean("redisConnectionFactory", factory);
                RedisRegistryFactoryTests.assertWorks(new RedisRegistryFactory(beans));
                Registry dying = clients.registry("redis:", RedisClients.ttl(Duration.ofMillis(600)));
                dying.registrar().join(instance("orders", "dead", 8082));
                await().untilAsserted(() -> {
                    clients.registry("redis:").registrar().join(instance("payments", "one", 8083));
                    assertThat(dying.resolver().services()).containsExactly("payments");
                });
            } finally {
                factory.destroy();
            }
        }
    }

    @Test
    void speaksTlsByTheNameOfABundle() throws Exception {
        KeyStore keys = keys();
        Path certificate = pem("CERTIFICATE", keys.getCertificate("redis").getEncoded());
        Path key = pem(
                "PRIVATE KEY", keys.getKey("redis", "changeit".toCharArray()).getEncoded());
        try (RedisServerProcess server = RedisServerProcess.running(
                "--tls-port",
                "{port}",
                "--tls-cert-file",
                certificate.toString(),
                "--tls-key-file",
                key.toString(),
                "--tls-ca-cert-file",
                certificate.toString(),
                "--tls-auth-clients",
                "no")) {
            beans.addBean(
                    "sslBundles",
                    new DefaultSslBundleRegistry("trusting", SslBundle.of(SslStoreBundle.of(null, null, keys))));
            String url = "rediss://127.0.0.1:" + server.port();

            Registry trusting = clients.registry(definition("redis", url, RedisClients.TIMING, true, null, "trusting"));
            trusting.registrar().join(instance("orders", "one", 8081));
            assertThat(trusting.resolver().lookup("orders").instances()).hasSize(1);

            Registry distrustful = clients.registry(url);
            assertThatException().isThrownBy(() -> distrustful.resolver().lookup("orders"));
        }
    }

    private KeyStore keys() throws Exception {
        Path store = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "RSA",
                        "-alias",
                        "redis",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        store.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        return KeyStore.getInstance(store.toFile(), "changeit".toCharArray());
    }

    private Path pem(String type, byte[] content) throws Exception {
        String text = "-----BEGIN " + type + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content) + "\n-----END " + type
                + "-----\n";
        return Files.writeString(directory.resolve(type.replace(' ', '-') + ".pem"), text);
    }
}
