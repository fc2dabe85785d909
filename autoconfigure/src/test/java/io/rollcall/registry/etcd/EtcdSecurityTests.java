package io.rollcall.registry.etcd;

import static io.rollcall.registry.etcd.EtcdClients.TIMING;
import static io.rollcall.registry.etcd.EtcdClients.definition;
import static io.rollcall.registry.etcd.EtcdClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.etcd.jetcd.api.Permission.Type;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.etcd.EtcdClients.Listener;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.logging.LoggingSystem;

/** Users, passwords and rights. */
class EtcdSecurityTests {

    private static final String PASSWORD = "s3cr3t-marker";

    @AutoClose
    private static final EtcdServerProcess server = EtcdServerProcess.running();

    @AutoClose
    private final EtcdClients clients = new EtcdClients(beans());

    private static StaticListableBeanFactory beans() {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("logging", LoggingSystem.get(EtcdSecurityTests.class.getClassLoader()));
        return beans;
    }

    /** The rights of docs/etcd.md. */
    @BeforeAll
    static void users() {
        try (ForeignEtcd foreign = new ForeignEtcd(server.port())) {
            foreign.addRole("root");
            foreign.addUser("root", PASSWORD, "root");
            foreign.addRole("app");
            foreign.permit("app", Type.READ, "/", true);
            foreign.permit("app", Type.READWRITE, "/orders/", true);
            foreign.permit("app", Type.READWRITE, "/@rollcall-incarnation", false);
            foreign.addUser("app", PASSWORD, "app");
            foreign.addRole("reader");
            foreign.permit("reader", Type.READ, "/", true);
            foreign.addUser("reader", PASSWORD, "reader");
            foreign.addRole("elsewhere");
            foreign.permit("elsewhere", Type.READWRITE, "/elsewhere/", true);
            foreign.addUser("elsewhere", PASSWORD, "elsewhere");
            foreign.enableLogin();
        }
    }

    private static String url(String user, String password) {
        return "etcd://" + user + ":" + password + "@127.0.0.1:" + server.port();
    }

    @Test
    void worksWithTheRightsThatAreDocumented() throws Exception {
        Registry registry = clients.registry(url("app", PASSWORD));
        Listener listener = new Listener();
        try (Watch watch = registry.resolver().watch("orders", listener)) {
            assertThat(watch).isNotNull();
            registry.registrar().join(instance("orders", 8081));
            registry.registrar().join(instance("orders", 8081));
            await().until(() -> listener.changes.get() > 0);
            assertThat(registry.resolver().lookup("orders").instances()).hasSize(1);
            assertThat(registry.resolver().services()).contains("orders");
            registry.registrar().leave(instance("orders", 8081));
            assertThat(registry.resolver().lookup("orders").instances()).isEmpty();
        }
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.registrar().join(instance("payments", 8081)))
                .withMessageContaining("lacks the right");
    }

    @Test
    void aReaderNeedsNoRightToWrite() throws Exception {
        clients.registry(url("app", PASSWORD)).registrar().join(instance("orders", 8085));
        Registry reader = clients.registry(url("reader", PASSWORD));

        assertThat(reader.resolver().lookup("orders").instances()).contains(instance("orders", 8085));
        reader.resolver().watch("orders", new Listener()).close();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> reader.registrar().join(instance("orders", 8086)));
    }

    @Test
    void whatMayNotBeReadIsARefusal() {
        Registry registry = clients.registry(url("elsewhere", PASSWORD));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.resolver().lookup("orders"));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.resolver().watch("orders", new Listener()));
    }

    @Test
    void aWrongPasswordIsARefusal() {
        Registry registry = clients.registry(url("app", PASSWORD + "-wrong"));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.registrar().join(instance("orders", 8081)))
                .withMessage("etcd refuses: it knows no such user and password")
                .satisfies(ex -> assertThat(trace(ex)).doesNotContain(PASSWORD));
    }

    @Test
    void aMissingPasswordIsARefusal() {
        Registry registry = clients.registry(server.url());

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.registrar().join(instance("orders", 8081)))
                .withMessage("etcd refuses: it asks for a user and password");
    }

    @Test
    void logsInAgainWhenItsTokenIsForgotten() throws Exception {
        Registry registry = clients.registry(url("app", PASSWORD));
        registry.registrar().join(instance("orders", 8081));
        Listener listener = new Listener();
        registry.resolver().watch("orders", listener);

        // Tokens are in the server's memory alone.
        server.kill();
        server.start();

        await().untilAsserted(() -> assertThatCode(() -> registry.registrar().join(instance("orders", 8081)))
                .doesNotThrowAnyException());
        await().until(() -> listener.lost.get() != null);
        await().untilAsserted(() -> assertThatCode(() -> registry.resolver().watch("orders", new Listener()))
                .doesNotThrowAnyException());
    }

    @Test
    void aPasswordWhereNoneIsAskedForIsNoMistake() throws Exception {
        try (EtcdServerProcess open = EtcdServerProcess.running()) {
            Registry registry = clients.registry("etcd://app:" + PASSWORD + "@127.0.0.1:" + open.port());

            registry.registrar().join(instance("orders", 8081));

            assertThat(registry.resolver().lookup("orders").instances()).hasSize(1);
        }
    }

    @Test
    void thePasswordIsNowhereToBeSeen() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        Level level = root.getLevel();
        Recorder recorder = new Recorder();
        recorder.start();
        root.setLevel(Level.TRACE);
        root.addAppender(recorder);
        try {
            Registry registry = clients.registry(definition("etcd", url("app", PASSWORD), TIMING, null, null));
            registry.registrar().join(instance("orders", 8081));
            registry.resolver().lookup("orders");
            registry.resolver().watch("orders", new Listener()).close();
            assertThatException()
                    .isThrownBy(() -> registry.registrar().join(instance("payments", 8081)))
                    .satisfies(ex -> assertThat(trace(ex)).doesNotContain(PASSWORD));
            assertThat(registry.toString()).doesNotContain(PASSWORD).contains("******@");
        } finally {
            root.detachAppender(recorder);
            root.setLevel(level);
        }
        String hex = HexFormat.of().formatHex(PASSWORD.getBytes(StandardCharsets.UTF_8));
        assertThat(recorder.lines)
                .isNotEmpty()
                .noneMatch(line -> line.contains(PASSWORD) || line.contains(hex) || line.contains("token"));
    }

    private static String trace(Throwable thrown) {
        StringWriter text = new StringWriter();
        thrown.printStackTrace(new PrintWriter(text));
        return text.toString();
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
