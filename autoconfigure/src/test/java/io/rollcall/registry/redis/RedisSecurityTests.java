package io.rollcall.registry.redis;

import static io.rollcall.registry.redis.RedisClients.definition;
import static io.rollcall.registry.redis.RedisClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.AppenderBase;
import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.redis.RedisClients.Listener;
import io.rollcall.registry.redis.RedisServerProcess.RawConnection;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.logging.LoggingSystem;

/** Users, passwords and rights. */
class RedisSecurityTests {

    private static final String PASSWORD = "s3cr3t-marker";

    /** The line of docs/redis.md. */
    private static final String RIGHTS = "resetkeys ~rollcall:* ~swoole:service:* resetchannels &rollcall:* -@all"
            + " +evalsha +eval +time +zadd +zscore +zrange +zrangebyscore +zrem +zcount +hget +hgetall +hset +hsetnx"
            + " +hdel +sadd +srem +smembers +srandmember +exists +pexpire +publish +subscribe +unsubscribe +ping +select";

    @AutoClose
    private static final RedisServerProcess server = RedisServerProcess.running();

    @AutoClose
    private final RedisClients clients = new RedisClients(beans());

    private static StaticListableBeanFactory beans() {
        StaticListableBeanFactory beans = new StaticListableBeanFactory();
        beans.addBean("logging", LoggingSystem.get(RedisSecurityTests.class.getClassLoader()));
        return beans;
    }

    private static void admin(String command) {
        try (RawConnection raw = server.raw()) {
            raw.send(command);
            raw.readUntil("OK");
        }
    }

    private static String url(String user, String password) {
        return "redis://" + user + ":" + password + "@127.0.0.1:" + server.port() + "/1";
    }

    @Test
    void worksWithTheRightsThatAreDocumented() throws Exception {
        admin("ACL SETUSER app on >" + PASSWORD + " " + RIGHTS);
        Registry registry = clients.registry(url("app", PASSWORD), RedisClients.ttl(Duration.ofMillis(600)));
        Listener listener = new Listener();
        registry.registrar().join(instance("orders", "dead", 8080));
        try (Watch watch = registry.resolver().watch("orders", listener)) {
            assertThat(watch).isNotNull();
            Registry alive = clients.registry(url("app", PASSWORD));
            await().untilAsserted(() -> {
                alive.registrar().join(instance("orders", "one", 8081));
                assertThat(registry.resolver().lookup("orders").instances())
                        .extracting(Instance::id)
                        .containsExactly("one");
            });
            assertThat(registry.resolver().lookup("orders").rejected()).isEmpty();
            assertThat(registry.resolver().services()).containsExactly("orders");
            alive.registrar().join(instance("payments", "one", 8082));
            for (int i = 0; i < 10; i++) {
                registry.registrar().join(instance("orders", "two", 8083));
            }
            int before = listener.changes.get();
            alive.registrar().leave(instance("orders", "one", 8081));
            await().until(() -> listener.changes.get() > before);
        }
    }

    @Test
    void whatItMayNotDoForOthersIsNoFaultOfItsOwnRegistration() throws Exception {
        admin("ACL SETUSER narrow on >" + PASSWORD + " " + RIGHTS
                + " resetkeys ~rollcall:{swoole:service:narrow}:* ~swoole:service:narrow");
        Registry registry = clients.registry(url("narrow", PASSWORD));

        registry.registrar().join(instance("narrow", "one", 8081));
        registry.registrar().join(instance("narrow", "one", 8081));

        assertThat(registry.resolver().lookup("narrow").instances()).hasSize(1);
    }

    @Test
    void aReaderNeedsNoRightToWrite() throws Exception {
        clients.registry(server.url() + "/1", RedisClients.ttl(Duration.ofMillis(600)))
                .registrar()
                .join(instance("mail", "dead", 8080));
        admin("ACL SETUSER reader on >" + PASSWORD
                + " resetkeys ~rollcall:* ~swoole:service:* resetchannels &rollcall:*"
                + " -@all +evalsha +eval +time +zrange +zrangebyscore +zcount +hget +hgetall +smembers +exists"
                + " +subscribe +unsubscribe +ping +select");
        // Allowed to register by its configuration, so that it tries to sweep.
        Registry registry = clients.registry(url("reader", PASSWORD));

        await().untilAsserted(() ->
                assertThat(registry.resolver().lookup("mail").instances()).isEmpty());

        assertThat(registry.resolver().services()).doesNotContain("mail");
        try (RawConnection raw = server.raw()) {
            raw.send("SELECT 1");
            raw.send("SISMEMBER swoole:service:mail 127.0.0.1:8080");
            raw.readUntil(":1");
        }
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.registrar().join(instance("mail", "one", 8081)))
                .withMessageContaining("lacks the right");
    }

    @Test
    void aWrongPasswordIsARefusal() throws Exception {
        admin("ACL SETUSER picky on >right " + RIGHTS);
        Registry registry = clients.registry(url("picky", PASSWORD));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.registrar().join(instance("orders", "one", 8081)))
                .withMessage("Redis refuses: it knows no such user and password")
                .satisfies(ex -> assertThat(trace(ex)).doesNotContain(PASSWORD));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.resolver().watch("orders", new Listener()));

        admin("ACL SETUSER picky >" + PASSWORD);
        registry.registrar().join(instance("orders", "one", 8081));
    }

    @Test
    void aMissingPasswordIsARefusal() {
        try (RedisServerProcess locked = RedisServerProcess.running("--requirepass", PASSWORD)) {
            Registry registry = clients.registry(locked.url());

            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> registry.registrar().join(instance("orders", "one", 8081)))
                    .withMessage("Redis refuses: it asks for a password");
        }
    }

    @Test
    void aPasswordAloneIsTheDefaultUsers() throws Exception {
        try (RedisServerProcess locked = RedisServerProcess.running("--requirepass", PASSWORD)) {
            Registry registry = clients.registry("redis://:" + PASSWORD + "@127.0.0.1:" + locked.port());

            registry.registrar().join(instance("orders", "one", 8081));

            assertThat(registry.resolver().lookup("orders").instances()).hasSize(1);
        }
    }

    @Test
    void thePasswordIsNowhereToBeSeen() throws Exception {
        admin("ACL SETUSER logged on >" + PASSWORD + " " + RIGHTS);
        Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
        Level level = root.getLevel();
        Recorder recorder = new Recorder();
        recorder.start();
        root.setLevel(Level.TRACE);
        root.addAppender(recorder);
        try {
            Registry registry = clients.registry(definition(url("logged", PASSWORD), RedisClients.TIMING));
            registry.registrar().join(instance("orders", "one", 8081));
            registry.resolver().lookup("orders");
            registry.resolver().watch("orders", new Listener()).close();
            assertThat(registry.toString()).doesNotContain(PASSWORD).contains("******@");
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().contains(PASSWORD));
        } finally {
            root.detachAppender(recorder);
            root.setLevel(level);
        }
        assertThat(recorder.lines).isNotEmpty().noneMatch(line -> line.contains(PASSWORD));
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
