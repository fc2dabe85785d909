package io.rollcall.registry.eureka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.ssl.DefaultSslBundleRegistry;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslStoreBundle;

/** Users, passwords and TLS. */
class EurekaSecurityTests {

    private static final String PASSWORD = "s3cr3t-marker";

    private static final String HEADER = Base64.getEncoder().encodeToString(bytes("app:" + PASSWORD));

    private final EurekaServerProcess server = EurekaServerProcess.shared();

    private final StaticListableBeanFactory beans = new StaticListableBeanFactory();

    @AutoClose
    private final Registries registries = new Registries(beans);

    private final String service = "orders-" + UUID.randomUUID();

    private final Instance one = Registries.instance(service, "one", 8081);

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    @Test
    void speaksBasicAuthenticationAndItsSecretIsNowhereToBeSeen() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        Level level = root.getLevel();
        Recorder recorder = new Recorder();
        recorder.start();
        root.setLevel(Level.TRACE);
        root.addAppender(recorder);
        try (GuardedServer guarded = GuardedServer.before(server)) {
            guarded.require("Basic " + HEADER);
            Registry registry = registries.open(
                    "eureka://app:" + PASSWORD + "@" + guarded.address(":") + "/eureka", Registries.TIMING);

            registry.registrar().join(one);
            registry.registrar().join(one);

            assertThat(registry.resolver().lookup(service).instances()).hasSize(1);
            assertThat(registry.resolver().services()).contains(service);
            assertThat(registry.toString()).doesNotContain(PASSWORD).contains("******@");
            root.trace("The end of {}", registry);
        } finally {
            root.detachAppender(recorder);
            root.setLevel(level);
        }
        assertThat(recorder.lines)
                .isNotEmpty()
                .noneMatch(line -> line.contains(PASSWORD))
                .noneMatch(line -> line.contains(HEADER));
    }

    @Test
    void aWrongOrMissingPasswordIsARefusal() {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            guarded.require("Basic " + HEADER);
            for (String user : new String[] {"", "app:wrong@"}) {
                Registry registry =
                        registries.open("eureka://" + user + guarded.address(":") + "/eureka", Registries.TIMING);

                assertThatExceptionOfType(RefusedException.class)
                        .isThrownBy(() -> registry.registrar().join(one))
                        .withMessageContaining("no such user and password");
                assertThatExceptionOfType(RefusedException.class)
                        .isThrownBy(() -> registry.resolver().lookup(service));
                assertThatExceptionOfType(RefusedException.class)
                        .isThrownBy(() -> registry.resolver().watch(service, null));
            }
        }
    }

    @Test
    void aForbiddenCallIsARefusal() {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            guarded.forbid(call -> call.startsWith("POST"));
            Registry registry = registries.open(guarded.url(), Registries.TIMING);

            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> registry.registrar().join(one))
                    .withMessageContaining("403");
        }
    }

    @Test
    void speaksTlsByTheNameOfABundle(@TempDir Path directory) throws Exception {
        KeyStore keys = keys(directory.resolve("keys.p12"));
        SslBundle bundle = SslBundle.of(SslStoreBundle.of(keys, "changeit", keys));
        beans.addBean("sslBundles", new DefaultSslBundleRegistry("trusting", bundle));
        try (GuardedServer guarded = GuardedServer.before(server, bundle.createSslContext())) {
            String url = "eurekas://" + guarded.address(":") + "/eureka";

            Registry trusting = registries.open(Registries.definition(url, Registries.TIMING, "trusting"));
            trusting.registrar().join(one);
            assertThat(trusting.resolver().lookup(service).instances()).hasSize(1);

            Registry distrustful = registries.open(url, Registries.TIMING);
            assertThatException().isThrownBy(() -> distrustful.resolver().lookup(service));
        }
    }

    private static KeyStore keys(Path store) throws Exception {
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keyalg",
                        "RSA",
                        "-alias",
                        "eureka",
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

    /** Keeps all that is logged. */
    private static final class Recorder extends AppenderBase<ILoggingEvent> {

        private final Queue<String> lines = new ConcurrentLinkedQueue<>();

        @Override
        protected void append(ILoggingEvent event) {
            lines.add(event.getFormattedMessage());
            if (event.getThrowableProxy() != null) {
                lines.add(ThrowableProxyUtil.asString(event.getThrowableProxy()));
            }
        }
    }
}
