package io.rollcall.registry.eureka;

import static io.rollcall.registry.eureka.Registries.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import io.rollcall.servers.Ports;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** The server dies, hangs, forgets and comes back; calls are held up; operators have their say. */
class EurekaFaultTests {

    /** Its calls end soon, and a registration that was not answered is not waited for very long. */
    private static final Timing IMPATIENT =
            new Timing(Duration.ofMillis(500), Duration.ofSeconds(6), Duration.ofSeconds(2));

    private final EurekaServerProcess server = EurekaServerProcess.shared();

    @AutoClose
    private final Registries registries = new Registries();

    private final String service = "orders-" + UUID.randomUUID();

    private final Instance one = instance(service, "one-" + service, 8081);

    private final Resolver resolver = registries.resolver(server.url());

    private String path() {
        return "/apps/" + EurekaServer.application(service) + "/" + one.id();
    }

    private Listing listing() throws Exception {
        return resolver.lookup(service);
    }

    @Test
    void putsBackWhatAnOperatorHadSetWhenTheServerHasLostItsData() throws Exception {
        Registry registry = registries.open(server.url(), Registries.TIMING);
        Registrar registrar = registry.registrar();
        AtomicInteger changes = new AtomicInteger();
        registrar.join(one);
        String incarnation = listing().incarnation();
        try (Watch watch = registry.resolver().watch(service, listener(changes))) {
            assertThat(watch).isNotNull();
            server.send("PUT", path() + "/status?value=OUT_OF_SERVICE", null);
            await().until(() -> changes.get() > 0);
            registrar.join(one);
            assertThat(listing().instances()).isEmpty();
            assertThat(listing().left()).containsExactly(one.id());
            int before = changes.get();

            server.kill();
            assertThatException().isThrownBy(() -> registrar.join(one));
            assertThatException().isThrownBy(this::listing);
            await().until(() -> changes.get() > before);
            server.start();
            registrar.join(one);

            assertThat(listing().instances()).isEmpty();
            assertThat(server.send("GET", path(), null)).contains("\"status\":\"OUT_OF_SERVICE\"");
            server.send("DELETE", path() + "/status?value=UP", null);
            registrar.join(one);
            assertThat(listing().instances()).hasSize(1);
            registrar.join(instance(service, "two", 8082));
            assertThat(listing().incarnation()).isEqualTo(incarnation);
        }
    }

    private static WatchListener listener(AtomicInteger changes) {
        return new WatchListener() {

            @Override
            public void changed() {
                changes.incrementAndGet();
            }

            @Override
            public void lost(Exception cause) {
                throw new IllegalStateException(cause);
            }
        };
    }

    @Test
    void anOperatorsStatusStaysOverRenewalsChangesAndLeaving() throws Exception {
        Registrar registrar = registries.registrar(server.url());
        registrar.join(one);
        server.send("PUT", path() + "/status?value=OUT_OF_SERVICE", null);

        registrar.join(one);
        assertThat(listing().instances()).isEmpty();
        registrar.join(one.withMetadata(Map.of("weight", "7")));
        assertThat(listing().instances()).isEmpty();
        registrar.leave(one);
        registrar.join(one);
        assertThat(listing().instances()).isEmpty();

        server.send("DELETE", path() + "/status?value=UP", null);
        assertThat(listing().instances()).hasSize(1);
        registrar.join(one);
        assertThat(listing().instances()).hasSize(1);
    }

    @Test
    void putsBackAnEntryThatWasRemovedByHand() throws Exception {
        Registrar registrar = registries.registrar(server.url());
        registrar.join(one);
        server.send("DELETE", path(), null);
        assertThat(listing().instances()).isEmpty();

        registrar.join(one);

        assertThat(listing().instances()).hasSize(1);
    }

    @Test
    void givesUpOnAServerThatHangsAndGoesOnWhenItDoes() throws Exception {
        Registrar registrar = registries.open(server.url(), IMPATIENT).registrar();
        Resolver impatient = registries.open(server.url(), IMPATIENT).resolver();
        await().untilAsserted(() -> assertThatCode(() -> registrar.join(one)).doesNotThrowAnyException());
        server.pause();
        try {
            assertThatException().isThrownBy(() -> registrar.join(one));
            assertThatException().isThrownBy(() -> impatient.lookup(service));
            assertThatException().isThrownBy(() -> registrar.leave(one));
        } finally {
            server.resume();
        }

        await().untilAsserted(() -> assertThatCode(() -> registrar.leave(one)).doesNotThrowAnyException());
        // Not the list: the server may have cached it while it caught up with what was asked meanwhile, in whatever
        // order.
        assertThat(server.send("GET", path(), null)).contains("404");
    }

    @Test
    void aServerThatRefusesConnectionsOrHangsIsPassedOver() throws Exception {
        try (ServerSocket hanging = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String url = "eureka://127.0.0.1:" + Ports.reserve() + ",127.0.0.1:" + hanging.getLocalPort()
                    + ",127.0.0.1:" + server.port() + "/eureka";
            Registry registry = registries.open(url, Registries.TIMING);

            registry.registrar().join(one);

            assertThat(registry.resolver().lookup(service).instances()).hasSize(1);
        }
    }

    @Test
    void theServerThatAnsweredIsAskedFirst() throws Exception {
        try (GuardedServer first = GuardedServer.before(server)) {
            Registrar registrar = registries.registrar("eureka://127.0.0.1:" + Ports.reserve() + ","
                    + first.address(":") + ",127.0.0.1:" + server.port() + "/eureka");
            registrar.join(one);
            int before = first.requests().size();

            registrar.join(one);

            assertThat(first.requests()).hasSize(before + 2);
        }
    }

    /** A registration that a busy server did not answer in time would be waited for when leaving. */
    private void joinWithoutDoubt(Registrar registrar) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThatCode(() -> {
                            registrar.leave(one);
                            registrar.join(one);
                        })
                        .doesNotThrowAnyException());
    }

    @Test
    void leavesAtOnceAlthoughAllButTheRemovalIsHeldUp() throws Exception {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            Registrar registrar = registries.open(guarded.url(), IMPATIENT).registrar();
            joinWithoutDoubt(registrar);
            guarded.hold(call -> !call.startsWith("DELETE"));
            assertThatException().isThrownBy(() -> registrar.join(one));

            registrar.leave(one);

            assertThat(listing().instances()).isEmpty();
            int before = guarded.forwarded().size();
            guarded.release();
            await().until(() -> guarded.forwarded().size() >= before + 2);
            assertThat(listing().instances()).isEmpty();
        }
    }

    @Test
    void aRenewalThatArrivesAfterTheRemovalWritesNothing() throws Exception {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            Registrar registrar = registries.open(guarded.url(), IMPATIENT).registrar();
            joinWithoutDoubt(registrar);
            guarded.hold(call -> call.startsWith("PUT"));
            assertThatException().isThrownBy(() -> registrar.join(one));
            registrar.leave(one);

            guarded.release();

            await().until(() -> guarded.forwarded().stream().anyMatch(call -> call.startsWith("PUT")));
            assertThat(listing().instances()).isEmpty();
        }
    }

    @Test
    void aRegistrationThatArrivesAfterTheRemovalIsRemovedToo() throws Exception {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            Registrar registrar = registries.open(guarded.url(), IMPATIENT).registrar();
            await().untilAsserted(
                            () -> assertThatCode(() -> registrar.join(one)).doesNotThrowAnyException());
            guarded.hold(call -> call.startsWith("POST"));
            assertThatException().isThrownBy(() -> registrar.join(one.withMetadata(Map.of("weight", "7"))));
            assertThatException().isThrownBy(() -> registrar.leave(one)).withMessageContaining("may still arrive");
            assertThat(listing().instances()).isEmpty();

            guarded.release();
            await().until(() -> !listing().instances().isEmpty());

            await().untilAsserted(
                            () -> assertThatCode(() -> registrar.leave(one)).doesNotThrowAnyException());
            assertThat(listing().instances()).isEmpty();
        }
    }

    @Test
    void anInterruptDoesNotAbandonACallHalfWay() throws Exception {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            Registrar registrar = registries.registrar(guarded.url());
            guarded.hold(call -> call.startsWith("POST"));
            AtomicReference<Exception> thrown = new AtomicReference<>();
            Thread caller = new Thread(() -> {
                try {
                    registrar.join(one);
                } catch (Exception ex) {
                    thrown.set(ex);
                }
            });
            caller.start();
            await().until(() -> guarded.requests().stream().anyMatch(call -> call.startsWith("POST")));

            caller.interrupt();
            guarded.release();
            caller.join();

            assertThat(thrown).hasValue(null);
            assertThat(listing().instances()).hasSize(1);
        }
    }

    @Test
    void theDeadAreGoneWhenTheirLeaseEnds() throws Exception {
        Timing brief = new Timing(Duration.ofMillis(500), Duration.ofSeconds(2), Duration.ofSeconds(10));
        Registrar dead = registries.open(server.url(), brief).registrar();
        dead.join(one);
        dead.join(one);
        AtomicInteger changes = new AtomicInteger();
        try (Watch watch = resolver.watch(service, listener(changes))) {
            assertThat(watch).isNotNull();
            assertThat(listing().instances()).hasSize(1);

            await().atMost(Duration.ofSeconds(30)).until(() -> changes.get() > 0);

            Listing listing = listing();
            assertThat(listing.instances()).isEmpty();
            assertThat(listing.left()).containsExactly(one.id());
        }
    }

    @Test
    void anIdThatAnotherAddressHoldsIsRefused() throws Exception {
        registries.registrar(server.url()).join(one);
        Registrar other = registries.registrar(server.url());

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> other.join(instance(service, one.id(), 8082)))
                .withMessageContaining("held by 127.0.0.1:8081");

        other.leave(instance(service, one.id(), 8082));
        assertThat(listing().instances()).extracting(Instance::port).containsExactly(8081);
    }

    @Test
    void watchesAServerThatTellsNoChangesToo() throws Exception {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            guarded.forbid(call -> call.endsWith("/apps/delta"));
            Registry registry = registries.open(guarded.url(), Registries.TIMING);
            AtomicInteger changes = new AtomicInteger();
            try (Watch watch = registry.resolver().watch(service, listener(changes))) {
                assertThat(watch).isNotNull();
                await().until(() -> changes.get() > 1);
            }
            registry.registrar().join(one);
            String incarnation = registry.resolver().lookup(service).incarnation();
            registry.registrar().join(instance(service, "two", 8082));
            registry.registrar().leave(one);

            Listing listing = registry.resolver().lookup(service);
            assertThat(listing.incarnation()).isEqualTo(incarnation);
        }
    }

    @Test
    void anAnswerThatIsRefusedDoesNotEndTheWatch() throws Exception {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            Registry registry = registries.open(guarded.url(), Registries.TIMING);
            AtomicInteger changes = new AtomicInteger();
            try (Watch watch = registry.resolver().watch(service, listener(changes))) {
                assertThat(watch).isNotNull();
                guarded.forbid(call -> call.contains("/apps"));
                // Told once, so that a look-up finds out; and once more when the answers are good again.
                await().until(() -> changes.get() == 1);
                guarded.forbid(call -> false);
                await().until(() -> changes.get() == 2);

                registries.open(server.url(), Registries.TIMING).registrar().join(one);

                await().until(() -> changes.get() > 2);
            }
        }
    }

    @Test
    void asksForChangesOnceForAllServicesAndNotWithoutAWatch() throws Exception {
        try (GuardedServer guarded = GuardedServer.before(server)) {
            Resolver watching = registries.resolver(guarded.url());
            Watch[] watches = new Watch[20];
            for (int i = 0; i < watches.length; i++) {
                watches[i] = watching.watch("service-" + i, listener(new AtomicInteger()));
            }
            assertThat(guarded.requests()).hasSizeLessThan(watches.length);
            for (Watch watch : watches) {
                watch.close();
            }
            await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("rollcall-eureka-poll-")));
        }
    }

    @Test
    void itsThreadsAreNamedAndDaemonsAndEndWithIt() throws Exception {
        Registry registry = registries.open(server.url(), Registries.TIMING);
        AtomicInteger changes = new AtomicInteger();
        registry.resolver().watch(service, listener(changes));
        registry.registrar().join(one);
        await().until(() -> changes.get() > 0);

        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().startsWith("rollcall-eureka-"))
                .as("one that polls, and two of the HTTP client's")
                .hasSize(3)
                .allMatch(Thread::isDaemon);

        registry.client().close();
        registry.client().close();
        await().untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet())
                .noneMatch(thread -> thread.getName().startsWith("rollcall-eureka-")));
        assertThatException().isThrownBy(() -> registry.resolver().watch(service, listener(changes)));
    }
}
