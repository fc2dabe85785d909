package io.rollcall.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchException;
import static org.awaitility.Awaitility.await;

import io.rollcall.discovery.DiscoveryAutoConfiguration;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.registry.consul.ConsulRegistryAutoConfiguration;
import io.rollcall.registry.etcd.EtcdRegistryAutoConfiguration;
import io.rollcall.registry.eureka.EurekaRegistryAutoConfiguration;
import io.rollcall.registry.redis.RedisRegistryAutoConfiguration;
import io.rollcall.servers.TlsServer;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;

/** To whom a registry speaks, before it says anything: each kind checks who signed the certificate, and for which host it is. */
@Tag("resilience")
class TlsTests {

    private static final String PASSWORD = "changeit";

    @TempDir
    private static Path directory;

    private static SslBundle right;

    private static SslBundle forAnotherHost;

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    UtilAutoConfiguration.class,
                    SslAutoConfiguration.class,
                    RedisRegistryAutoConfiguration.class,
                    EtcdRegistryAutoConfiguration.class,
                    ConsulRegistryAutoConfiguration.class,
                    EurekaRegistryAutoConfiguration.class,
                    RollcallAutoConfiguration.class,
                    DiscoveryAutoConfiguration.class))
            .withPropertyValues("spring.application.name=orders");

    @BeforeAll
    static void certificates() throws Exception {
        right = keys("right", "ip:127.0.0.1");
        forAnotherHost = keys("other", "dns:registry.example.org,ip:127.0.0.9");
    }

    private static SslBundle keys(String alias, String names) throws Exception {
        Path store = directory.resolve(alias + ".p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "EC",
                        "-alias",
                        alias,
                        "-dname",
                        "CN=127.0.0.1",
                        "-ext",
                        "san=" + names,
                        "-storepass",
                        PASSWORD,
                        "-keystore",
                        store.toString())
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(keytool.waitFor()).isZero();
        KeyStore keys = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
        return SslBundle.of(SslStoreBundle.of(keys, PASSWORD, keys));
    }

    private void call(String kind, TlsServer server, String... properties) {
        runner.withPropertyValues(
                        "rollcall.registries.one.url=" + kind + "://127.0.0.1:" + server.port()
                                + (kind.equals("eurekas") ? "/eureka" : ""),
                        "rollcall.registries.one.timeout=10s")
                .withPropertyValues(properties)
                .run(context -> {
                    Registry registry =
                            context.getBean(Registries.class).named("one").orElseThrow();
                    Instance instance = new Instance("one", "orders", "10.0.0.1", 8080, false, Map.of());
                    assertThat(catchException(() -> registry.registrar().join(instance)))
                            .isNotNull();
                    assertThat(catchException(() -> registry.resolver().lookup("orders")))
                            .isNotNull();
                    assertThat(server.connections()).isPositive();
                });
    }

    private static String[] trusting(String alias) {
        return new String[] {
            "spring.ssl.bundle.jks.mine.truststore.location=file:" + directory.resolve(alias + ".p12"),
            "spring.ssl.bundle.jks.mine.truststore.password=" + PASSWORD,
            "rollcall.registries.one.ssl.bundle=mine"
        };
    }

    @ParameterizedTest
    @ValueSource(strings = {"rediss", "etcds", "consuls", "eurekas"})
    void aCertificateThatNobodyTrustedHasSignedIsRefused(String kind) throws Exception {
        try (TlsServer server = new TlsServer(right.createSslContext())) {
            call(kind, server);
            call(kind, server, trusting("other"));

            assertThat(server.believers()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rediss", "etcds", "consuls", "eurekas"})
    void aCertificateForAnotherHostIsRefused(String kind) throws Exception {
        try (TlsServer server = new TlsServer(forAnotherHost.createSslContext())) {
            call(kind, server, trusting("other"));

            assertThat(server.believers()).isZero();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"rediss", "etcds", "consuls", "eurekas"})
    void theRightCertificateIsAccepted(String kind) throws Exception {
        try (TlsServer server = new TlsServer(right.createSslContext())) {
            call(kind, server, trusting("right"));

            await().until(() -> server.believers() > 0);
        }
    }
}
