package io.rollcall.registry.etcd;

import static io.rollcall.registry.etcd.EtcdClients.instance;
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
import io.rollcall.registry.etcd.EtcdClients.Listener;
import io.rollcall.servers.HoldingProxy;
import io.rollcall.servers.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The server dies, hangs, forgets and comes back. */
class EtcdFaultTests {

    private static final Duration TTL = Duration.ofSeconds(1);

    /** Every call of a server that hangs lasts so long; and the first ones of a server that does not hang must not. */
    private static final Timing IMPATIENT = new Timing(Duration.ofSeconds(5), TTL, Duration.ofMillis(1500));

    private static final String SERVICE = "orders";

    private static final String KEY = "/orders/10.0.0.1:8081";

    @AutoClose
    private final EtcdServerProcess server = EtcdServerProcess.stopped();

    @AutoClose
    private final EtcdClients clients = new EtcdClients();

    private final Registry registry = clients.registry(server.url(), IMPATIENT);

    private final Registrar registrar = registry.registrar();

    private final Resolver resolver = registry.resolver();

    private final Listener listener = new Listener();

    private void join() throws Exception {
        registrar.join(instance(SERVICE, 8081));
    }

    private void awaitJoined() {
        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThatCode(this::join).doesNotThrowAnyException());
        await().untilAsserted(
                        () -> assertThat(resolver.lookup(SERVICE).instances()).hasSize(1));
    }

    private static Watch awaitWatch(Resolver resolver, Listener listener) {
        AtomicReference<Watch> watch = new AtomicReference<>();
        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> watch.set(resolver.watch(SERVICE, listener)));
        return watch.get();
    }

    /** Another process changes something, and the watch tells of it. */
    private void assertTellsOfChanges(Listener told) throws Exception {
        Registrar other = clients.registry(server.url()).registrar();
        int before = told.changes.get();
        other.join(instance(SERVICE, 8082));
        await().until(() -> told.changes.get() > before);
        other.leave(instance(SERVICE, 8082));
    }

    @Test
    void worksOnceTheServerIsThere() throws Exception {
        assertThatException().isThrownBy(this::join).withMessageContaining("127.0.0.1:" + server.port());
        assertThatException().isThrownBy(() -> resolver.lookup(SERVICE));
        assertThatException().isThrownBy(resolver::services);
        assertThatException().isThrownBy(() -> resolver.watch(SERVICE, listener));
        assertThat(listener.lost).hasValue(null);

        server.start();

        awaitJoined();
        try (Watch watch = awaitWatch(resolver, listener)) {
            assertThat(watch).isNotNull();
            assertTellsOfChanges(listener);
        }
    }

    @Test
    void comesBackAfterAnOutageOfThreeTimesTheTtlWithItsData() throws Exception {
        server.start();
        join();
        String incarnation = resolver.lookup(SERVICE).incarnation();
        resolver.watch(SERVICE, listener);

        server.kill();
        await().atMost(TTL.multipliedBy(30))
                .during(TTL.multipliedBy(3))
                .untilAsserted(() -> assertThatException().isThrownBy(this::join));
        assertThat(listener.lost.get()).isNotNull();
        server.start();

        awaitJoined();
        assertThat(resolver.lookup(SERVICE).incarnation()).isEqualTo(incarnation);
        Listener next = new Listener();
        try (Watch watch = awaitWatch(resolver, next)) {
            assertThat(watch).isNotNull();
            assertTellsOfChanges(next);
        }
    }

    @Test
    void comesBackAfterARestartThatLostEverything() throws Exception {
        server.start();
        join();
        for (int i = 0; i < 50; i++) {
            registrar.join(instance(SERVICE, 8081).withMetadata(java.util.Map.of("change", "" + i)));
        }
        String incarnation = resolver.lookup(SERVICE).incarnation();
        resolver.watch(SERVICE, listener);

        server.wipe();

        await().until(() -> listener.lost.get() != null);
        awaitJoined();
        assertThat(resolver.lookup(SERVICE).incarnation()).isNotNull().isNotEqualTo(incarnation);
        Listener next = new Listener();
        try (Watch watch = awaitWatch(resolver, next)) {
            assertThat(watch).isNotNull();
            // Though its revisions are far behind those of before.
            assertTellsOfChanges(next);
        }
    }

    @Test
    void isListedAgainAfterAllKeysWereDeleted() throws Exception {
        server.start();
        join();
        String incarnation = resolver.lookup(SERVICE).incarnation();
        try (ForeignEtcd foreign = new ForeignEtcd(server.port())) {
            foreign.deleteAll();
            assertThat(resolver.lookup(SERVICE).incarnation()).isNull();

            join();

            assertThat(foreign.get(KEY)).isNotNull();
        }
        assertThat(resolver.lookup(SERVICE).incarnation()).isNotNull().isNotEqualTo(incarnation);
    }

    @Test
    void givesUpOnAServerThatHangsAndGoesOnWhenItDoes() throws Exception {
        server.start();
        join();
        server.pause();
        assertThatException().isThrownBy(this::join).withMessageContaining("no answer in time");
        assertThatException().isThrownBy(() -> resolver.lookup(SERVICE));
        assertThatException().isThrownBy(() -> resolver.watch(SERVICE, listener));
        assertThatException().isThrownBy(() -> registrar.leave(instance(SERVICE, 8081)));
        server.resume();

        await().untilAsserted(() ->
                assertThatCode(() -> registrar.leave(instance(SERVICE, 8081))).doesNotThrowAnyException());
        // What was sent before may arrive only now, and must not undo this.
        await().during(Duration.ofMillis(500))
                .untilAsserted(
                        () -> assertThat(resolver.lookup(SERVICE).instances()).isEmpty());

        awaitJoined();
        try (Watch watch = awaitWatch(resolver, listener)) {
            assertThat(watch).isNotNull();
            assertTellsOfChanges(listener);
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

            assertTellsOfChanges(listener);
            assertThat(listener.lost).hasValue(null);
        }
    }

    @Test
    void aServerThatVanishesSilentlyEndsItsWatches() throws Exception {
        server.start();
        resolver.watch(SERVICE, listener);

        server.pause();

        Awaitility.await().atMost(Duration.ofSeconds(40)).until(() -> listener.lost.get() != null);
        server.resume();
    }

    @Test
    void closingDoesNotWaitForAHungServer() throws Exception {
        server.start();
        join();
        resolver.watch(SERVICE, listener);
        server.pause();

        registry.client().close();

        awaitNoThreads();
        server.resume();
    }

    @Test
    void aCutConnectionIsReplaced() throws Exception {
        server.start();
        try (HoldingProxy proxy = HoldingProxy.to(server.port())) {
            Registry cut = clients.registry("etcd://127.0.0.1:" + proxy.port(), IMPATIENT);
            cut.registrar().join(instance(SERVICE, 8081));
            cut.resolver().watch(SERVICE, listener);
            for (int i = 0; i < 3; i++) {
                proxy.cut();

                await().untilAsserted(() -> assertThatCode(() -> cut.registrar().join(instance(SERVICE, 8081)))
                        .doesNotThrowAnyException());
            }
            await().until(() -> listener.lost.get() != null);
            Listener next = new Listener();
            try (Watch watch = awaitWatch(cut.resolver(), next)) {
                assertThat(watch).isNotNull();
                assertTellsOfChanges(next);
            }
        }
    }

    @Test
    void aRenewalThatIsHeldUpDoesNotOutliveALeave() throws Exception {
        server.start();
        try (HoldingProxy proxy = HoldingProxy.to(server.port())) {
            Instance instance = instance(SERVICE, 8081);
            Registrar delayed = clients.registry("etcd://127.0.0.1:" + proxy.port(), IMPATIENT)
                    .registrar();
            delayed.join(instance);
            proxy.hold();
            assertThatException().isThrownBy(() -> delayed.join(instance));
            assertThatException().isThrownBy(() -> delayed.leave(instance));

            proxy.release();

            await().untilAsserted(
                            () -> assertThatCode(() -> delayed.leave(instance)).doesNotThrowAnyException());
            await().during(Duration.ofMillis(300))
                    .untilAsserted(() ->
                            assertThat(resolver.lookup(SERVICE).instances()).isEmpty());
        }
    }

    @Test
    void aCompactionWhileNothingIsWatchedHidesNoChange() throws Exception {
        server.start();
        try (HoldingProxy proxy = HoldingProxy.to(server.port());
                ForeignEtcd foreign = new ForeignEtcd(server.port())) {
            Resolver cut = clients.registry("etcd://127.0.0.1:" + proxy.port(), IMPATIENT)
                    .resolver();
            assertThat(cut.lookup(SERVICE).instances()).isEmpty();
            cut.watch(SERVICE, listener);
            proxy.cut();
            await().until(() -> listener.lost.get() != null);
            join();
            for (int i = 0; i < 10; i++) {
                foreign.put("/other/key", "" + i);
            }
            foreign.compact();

            Listener next = new Listener();
            try (Watch watch = awaitWatch(cut, next)) {
                assertThat(watch).isNotNull();
                assertThat(cut.lookup(SERVICE).instances()).hasSize(1);
                assertTellsOfChanges(next);
            }
        }
    }

    @Test
    void hostsThatAreDownOrHangArePassedOverInOneCall() throws Exception {
        server.start();
        try (ServerSocket blackHole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Registry several = clients.registry(
                    "etcd://127.0.0.1:" + Ports.reserve() + ",127.0.0.1:" + blackHole.getLocalPort() + ",127.0.0.1:"
                            + server.port(),
                    new Timing(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(6)));

            several.registrar().join(instance(SERVICE, 8081));

            assertThat(several.resolver().lookup(SERVICE).instances()).hasSize(1);
            try (Watch watch = several.resolver().watch(SERVICE, listener)) {
                assertThat(watch).isNotNull();
                assertTellsOfChanges(listener);
            }
        }
    }

    @Test
    void anInterruptEndsACall() throws Exception {
        server.start();
        Timing patient = new Timing(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofMinutes(5));
        Registrar waiting = clients.registry(server.url(), patient).registrar();
        waiting.join(instance(SERVICE, 8081));
        server.pause();
        AtomicReference<Exception> thrown = new AtomicReference<>();
        Thread caller = new Thread(() -> {
            try {
                waiting.leave(instance(SERVICE, 8081));
            } catch (Exception ex) {
                thrown.set(ex);
            }
        });
        caller.start();
        await().until(() ->
                caller.getState() == Thread.State.WAITING || caller.getState() == Thread.State.TIMED_WAITING);

        caller.interrupt();

        await().until(() -> thrown.get() != null);
        server.resume();
        waiting.leave(instance(SERVICE, 8081));
    }

    @Test
    void itsThreadsAreNamedAndDaemonsAndEndWithIt() throws IOException, Exception {
        server.start();
        join();
        resolver.watch(SERVICE, listener);
        assertTellsOfChanges(listener);

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("rollcall-etcd-"))
                .isNotEmpty()
                .allMatch(Thread::isDaemon);
        assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("grpc-"));

        clients.close();
        registry.client().close();
        awaitNoThreads();
        assertThatException().isThrownBy(this::join);
        assertThatException().isThrownBy(() -> resolver.watch(SERVICE, listener));
    }

    private static void awaitNoThreads() {
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("rollcall-etcd-")));
    }
}
