package io.rollcall.registry.redis;

import static io.rollcall.registry.redis.RedisClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.redis.RedisClients.Listener;
import io.rollcall.registry.redis.RedisServerProcess.RawConnection;
import io.rollcall.servers.HoldingProxy;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The server dies, hangs, forgets and comes back. */
class RedisFaultTests {

    /** Every call of a server that hangs lasts so long; and the first ones of a server that does not hang must not. */
    private static final Timing IMPATIENT =
            new Timing(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofMillis(1500));

    private static final String SERVICE = "orders";

    @AutoClose
    private final RedisServerProcess server = RedisServerProcess.stopped();

    @AutoClose
    private final RedisClients clients = new RedisClients();

    private final Registry registry = clients.registry(server.url(), IMPATIENT);

    private final Registrar registrar = registry.registrar();

    private final Resolver resolver = registry.resolver();

    private final Listener listener = new Listener();

    private void join() throws Exception {
        registrar.join(instance(SERVICE, "one", 8081));
    }

    private void awaitJoined() {
        await().untilAsserted(() -> assertThatCode(this::join).doesNotThrowAnyException());
        await().untilAsserted(
                        () -> assertThat(resolver.lookup(SERVICE).instances()).hasSize(1));
    }

    private Watch awaitWatch() {
        AtomicReference<Watch> watch = new AtomicReference<>();
        await().untilAsserted(() -> watch.set(resolver.watch(SERVICE, listener)));
        return watch.get();
    }

    /** Another process changes something, and the watch tells of it. */
    private void assertTellsOfChanges() throws Exception {
        Registrar other = clients.registry(server.url()).registrar();
        int before = listener.changes.get();
        other.join(instance(SERVICE, "another", 8082));
        await().until(() -> listener.changes.get() > before);
        other.leave(instance(SERVICE, "another", 8082));
    }

    @Test
    void worksOnceTheServerIsThere() throws Exception {
        assertThatException().isThrownBy(this::join);
        assertThatException().isThrownBy(() -> resolver.lookup(SERVICE));
        assertThatException().isThrownBy(resolver::services);
        assertThatException().isThrownBy(() -> resolver.watch(SERVICE, listener));
        assertThat(listener.lost).hasValue(null);

        server.start();

        awaitJoined();
        try (Watch watch = awaitWatch()) {
            assertThat(watch).isNotNull();
            assertTellsOfChanges();
        }
    }

    @Test
    void comesBackAfterARestartThatLostEverything() throws Exception {
        server.start();
        join();
        String incarnation = resolver.lookup(SERVICE).incarnation();
        try (Watch watch = resolver.watch(SERVICE, listener)) {
            assertThat(watch).isNotNull();
            server.kill();
            assertThatException().isThrownBy(this::join);
            assertThatException().isThrownBy(() -> resolver.lookup(SERVICE));
            int before = listener.changes.get();

            server.start();

            awaitJoined();
            assertThat(resolver.lookup(SERVICE).incarnation()).isNotEqualTo(incarnation);
            await().until(() -> listener.changes.get() > before);
            assertTellsOfChanges();
            assertThat(listener.lost).hasValue(null);
        }
    }

    @Test
    void givesUpOnAServerThatHangsAndGoesOnWhenItDoes() throws Exception {
        server.start();
        join();
        server.pause();
        assertThatException().isThrownBy(this::join);
        assertThatException().isThrownBy(() -> resolver.lookup(SERVICE));
        assertThatException().isThrownBy(() -> resolver.watch(SERVICE, listener));
        assertThatException().isThrownBy(() -> registrar.leave(instance(SERVICE, "one", 8081)));
        server.resume();

        // What was sent before may arrive only now, and must not undo this.
        await().untilAsserted(() -> assertThatCode(() -> registrar.leave(instance(SERVICE, "one", 8081)))
                .doesNotThrowAnyException());
        await().during(Duration.ofMillis(500))
                .untilAsserted(
                        () -> assertThat(resolver.lookup(SERVICE).instances()).isEmpty());

        awaitJoined();
        try (Watch watch = awaitWatch()) {
            assertThat(watch).isNotNull();
            assertTellsOfChanges();
        }
    }

    @Test
    void aRenewalThatArrivesAfterTheLeaveWritesNothing() throws Exception {
        server.start();
        StringRedisTemplate redis = clients.template(server.port());
        try (HoldingProxy proxy = HoldingProxy.to(server.port());
                RawConnection monitor = server.raw()) {
            Registrar delayed = clients.registry("redis://127.0.0.1:" + proxy.port(), IMPATIENT)
                    .registrar();
            delayed.join(instance(SERVICE, "one", 8081));
            proxy.hold();
            assertThatException().isThrownBy(() -> delayed.join(instance(SERVICE, "one", 8081)));
            delayed.leave(instance(SERVICE, "one", 8081));
            monitor.send("MONITOR");
            monitor.readUntil("OK");

            proxy.release();

            assertThat(monitor.readUntil("EVALSHA")).isNotEmpty();
            assertThat(resolver.lookup(SERVICE).instances()).isEmpty();
            assertThat(resolver.lookup(SERVICE).left()).containsExactly("one");
            assertThat(redis.hasKey("swoole:service:" + SERVICE)).isFalse();
        }
    }

    @Test
    void keepsAWatchOverAPause() throws Exception {
        server.start();
        try (Watch watch = resolver.watch(SERVICE, listener)) {
            assertThat(watch).isNotNull();
            server.pause();
            assertThatException().isThrownBy(() -> resolver.lookup(SERVICE));
            server.resume();

            assertTellsOfChanges();
            assertThat(listener.lost).hasValue(null);
        }
    }

    @Test
    void aHungServerEndsWatchesThatCanNotBeTrusted() throws Exception {
        server.start();
        try (Watch watch = resolver.watch(SERVICE, listener)) {
            assertThat(watch).isNotNull();
            server.pause();

            assertThatException().isThrownBy(() -> resolver.watch("other", new Listener()));

            await().until(() -> listener.lost.get() != null);
            server.resume();
        }
    }

    @Test
    void closingDoesNotWaitForAHungServer() throws Exception {
        server.start();
        join();
        Watch watch = resolver.watch(SERVICE, listener);
        await().until(() -> listener.changes.get() > 0);
        server.pause();
        int before = listener.changes.get();

        watch.close();
        registry.client().close();

        awaitNoThreads();
        assertThat(listener.changes).hasValue(before);
        assertThat(listener.lost).hasValue(null);
    }

    @Test
    void subscribesAnewWhenItsConnectionIsKilled() throws Exception {
        server.start();
        try (Watch watch = resolver.watch(SERVICE, listener);
                RawConnection raw = server.raw()) {
            assertThat(watch).isNotNull();
            await().until(() -> listener.changes.get() > 0);
            int before = listener.changes.get();

            raw.send("CLIENT KILL TYPE pubsub");
            raw.readUntil(":1");

            await().until(() -> listener.changes.get() > before);
            assertTellsOfChanges();
            assertThat(listener.lost).hasValue(null);
        }
    }

    @Test
    void joinsOnAConnectionThatWasKilled() throws Exception {
        server.start();
        join();
        try (RawConnection raw = server.raw()) {
            raw.send("CLIENT KILL TYPE normal SKIPME yes");
            raw.readUntil(":");
        }

        join();

        assertThat(resolver.lookup(SERVICE).instances()).hasSize(1);
    }

    @Test
    void anOldCopyOfTheDataIsAnotherIncarnation() throws Exception {
        server.start();
        join();
        try (RawConnection admin = server.raw()) {
            admin.send("SAVE");
            admin.readUntil("OK");
        }
        registrar.join(instance(SERVICE, "two", 8082));
        String before = resolver.lookup(SERVICE).incarnation();

        server.kill();
        server.start();

        assertThat(resolver.lookup(SERVICE).instances())
                .extracting(Instance::id)
                .containsExactly("one");
        assertThat(resolver.lookup(SERVICE).incarnation()).isNotNull().isNotEqualTo(before);
    }

    @Test
    void leavesAServerThatHasBecomeAReplica() throws Exception {
        server.start();
        try (RedisServerProcess successor = RedisServerProcess.running();
                HoldingProxy name = HoldingProxy.to(server.port());
                RawConnection admin = server.raw()) {
            Registrar moving =
                    clients.registry("redis://127.0.0.1:" + name.port()).registrar();
            moving.join(instance(SERVICE, "one", 8081));

            admin.send("REPLICAOF 127.0.0.1 " + successor.port());
            admin.readUntil("OK");
            name.redirect(successor.port());

            assertThatException().isThrownBy(() -> moving.join(instance(SERVICE, "one", 8081)));
            moving.join(instance(SERVICE, "one", 8081));
            assertThat(clients.registry(successor.url())
                            .resolver()
                            .lookup(SERVICE)
                            .instances())
                    .hasSize(1);
        }
    }

    @Test
    void bringsTheScriptsWhenTheServerHasForgottenThem() throws Exception {
        server.start();
        join();
        try (RawConnection raw = server.raw()) {
            raw.send("SCRIPT FLUSH");
            raw.readUntil("OK");
        }

        join();

        assertThat(resolver.lookup(SERVICE).instances()).hasSize(1);
    }

    @Test
    void anInterruptEndsACall() throws Exception {
        server.start();
        Timing patient = new Timing(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofMinutes(5));
        Registrar waiting = clients.registry(server.url(), patient).registrar();
        waiting.join(instance(SERVICE, "one", 8081));
        server.pause();
        AtomicReference<Exception> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                waiting.join(instance(SERVICE, "one", 8081));
            } catch (Exception ex) {
                thrown.set(ex);
            }
        });
        caller.start();
        await().until(() -> caller.getState() == Thread.State.TIMED_WAITING);

        caller.interrupt();

        await().until(() -> thrown.get() != null);
        server.resume();
        waiting.join(instance(SERVICE, "one", 8081));
    }

    @Test
    void listensToAllServicesByOneConnectionAndEndsItWithTheLast() throws Exception {
        server.start();
        Watch[] watches = new Watch[20];
        for (int i = 0; i < watches.length; i++) {
            watches[i] = resolver.watch("service-" + i, listener);
        }
        try (RawConnection raw = server.raw()) {
            assertThat(subscriptions(raw)).isEqualTo("sub=20");
            for (int i = 1; i < watches.length; i++) {
                watches[i].close();
            }
            await().untilAsserted(() -> assertThat(subscriptions(raw)).isEqualTo("sub=1"));
            watches[0].close();
            await().untilAsserted(() -> assertThat(subscriptions(raw)).isEmpty());
        }
        try (Watch again = resolver.watch(SERVICE, listener)) {
            assertThat(again).isNotNull();
            assertTellsOfChanges();
        }
    }

    private static String subscriptions(RawConnection raw) {
        raw.send("CLIENT LIST TYPE pubsub");
        raw.send("ECHO end-of-list");
        return String.join(
                " ",
                raw.readUntil("end-of-list").stream()
                        .filter(line -> line.contains(" sub="))
                        .map(line -> line.replaceAll(".* (sub=\\d+) .*", "$1"))
                        .toList());
    }

    @Test
    void itsThreadsAreNamedAndDaemonsAndEndWithIt() throws Exception {
        // Other applications of this process may still have Lettuce's own.
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        server.start();
        join();
        resolver.watch(SERVICE, listener);
        resolver.lookup(SERVICE);

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("rollcall-redis-"))
                .isNotEmpty()
                .hasSizeLessThan(9)
                .allMatch(Thread::isDaemon);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> !before.contains(thread))
                .noneMatch(thread -> thread.getName().startsWith("lettuce-"));

        registry.client().close();
        registry.client().close();
        awaitNoThreads();
        assertThatException().isThrownBy(this::join);
        assertThatException().isThrownBy(() -> resolver.watch(SERVICE, listener));
    }

    private static void awaitNoThreads() {
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("rollcall-redis-")));
    }
}
