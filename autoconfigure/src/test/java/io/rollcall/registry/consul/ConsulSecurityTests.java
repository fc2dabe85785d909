package io.rollcall.registry.consul;

import static io.rollcall.registry.consul.ConsulClients.TIMING;
import static io.rollcall.registry.consul.ConsulClients.definition;
import static io.rollcall.registry.consul.ConsulClients.instance;
import static io.rollcall.registry.consul.ConsulClients.registrar;
import static io.rollcall.registry.consul.ConsulClients.resolver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.consul.ConsulClients.Listener;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tokens. */
class ConsulSecurityTests {

    private static final String TOKEN = "s3cr3t-marker";

    private static ConsulServer server;

    @AutoClose
    private final ConsulClients clients = new ConsulClients();

    @BeforeAll
    static void start() {
        server = ConsulServer.withToken(TOKEN);
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @Test
    void sendsItsToken() throws Exception {
        Registry registry = clients.open(definition(server.url(), Mode.TTL, TIMING, null, TOKEN));
        Listener listener = new Listener();
        resolver(registry).watch("orders", listener);

        registrar(registry).join(instance("orders", 8081));

        await().until(() -> listener.changes.get() > 0);
        assertThat(resolver(registry).lookup("orders").instances()).hasSize(1);
        assertThat(resolver(registry).services()).contains("orders");
        registrar(registry).leave(instance("orders", 8081));
    }

    @Test
    void aWrongTokenIsARefusal() {
        Registry registry = clients.open(definition(server.url(), Mode.TTL, TIMING, null, "wrong"));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registrar(registry).join(instance("orders", 8081)))
                .withMessageEndingWith("Permission denied");
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> resolver(registry).lookup("orders"))
                .withMessageEndingWith("Permission denied");
    }

    @Test
    void theTokenIsNowhereToBeSeen() throws Exception {
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        Level level = root.getLevel();
        Recorder recorder = new Recorder();
        recorder.start();
        root.setLevel(Level.TRACE);
        root.addAppender(recorder);
        try {
            Registry registry = clients.open(
                    definition(server.url() + "?tag=" + TOKEN + "&ns=" + TOKEN, Mode.HTTP, TIMING, null, TOKEN));
            registrar(registry).join(instance("mail", 8081));
            resolver(registry).lookup("mail");
            resolver(registry).watch("mail", new Listener()).close();
            registrar(registry).leave(instance("mail", 8081));
            server.answer("/v1/", 500, "the token " + TOKEN + " is odd");
            assertThatExceptionOfType(Exception.class)
                    .isThrownBy(() -> registrar(registry).join(instance("mail", 8081)))
                    .withMessageContaining("the token ****** is odd");
            server.answerRightly();
            assertThat(registry.toString()).doesNotContain(TOKEN);
            root.trace("The end of {}", registry);
        } finally {
            root.detachAppender(recorder);
            root.setLevel(level);
        }
        assertThat(recorder.lines).isNotEmpty().noneMatch(line -> line.contains(TOKEN));
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
