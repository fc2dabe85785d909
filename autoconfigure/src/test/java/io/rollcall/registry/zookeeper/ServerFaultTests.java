package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.Resolver;
import io.rollcall.servers.Ports;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A server that is down, hangs, restarts or has lost its data. */
@Timeout(120)
class ServerFaultTests {

    private static final Timing TIMING =
            new Timing(Duration.ofSeconds(1), Duration.ofSeconds(4), Duration.ofSeconds(2));

    private static final String PATH = "/services/orders/orders-1";

    private final Registries registries = new Registries();

    private final Instance instance = new Instance("orders-1", "orders", "10.0.0.1", 8080, false, Map.of());

    private ZookeeperProcess server;

    @BeforeEach
    void prepare() throws IOException {
        server = new ZookeeperProcess();
    }

    @AfterEach
    void stop() {
        registries.close();
        server.close();
    }

    private void joinUntilItSucceeds(Registrar registrar) {
        await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> {
            registrar.join(instance);
            return true;
        });
    }

    @Test
    void joinsOnceTheServerThatWasDownIsThere() throws Exception {
        Registrar registrar = Registries.registrar(registries.open(server.url(), TIMING));
        assertThatException().isThrownBy(() -> registrar.join(instance)).withMessageContaining(server.address());

        server.start();
        joinUntilItSucceeds(registrar);

        try (ForeignClient foreign = new ForeignClient(server.address())) {
            assertThat(foreign.stat(PATH)).isNotNull();
        }
    }

    @Test
    void aDeadFirstAddressIsPassedOver() throws Exception {
        server.start();
        Registry registry =
                registries.open("zookeeper://127.0.0.1:" + Ports.reserve() + "," + server.address(), Registries.TIMING);

        Registries.registrar(registry).join(instance);

        assertThat(Registries.resolver(registry).lookup("orders").instances()).hasSize(1);
    }

    @Test
    void aHungFirstAddressIsPassedOver() throws Exception {
        server.start();
        try (ServerSocket blackHole = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Registrar registrar = Registries.registrar(registries.open(
                    "zookeeper://127.0.0.1:" + blackHole.getLocalPort() + "," + server.address(), TIMING));

            joinUntilItSucceeds(registrar);
        }
    }

    @Test
    void aJoinThatWasInterruptedWhileTheServerHungDoesNotOutliveALeave() throws Exception {
        server.start();
        Registry registry = registries.open(server.url(), Registries.TIMING);
        Registrar registrar = Registries.registrar(registry);
        Resolver resolver = Registries.resolver(registry);
        resolver.lookup("orders");
        server.pause();
        AtomicReference<Exception> failure = new AtomicReference<>();
        Thread joining = new Thread(() -> {
            try {
                registrar.join(instance);
            } catch (Exception ex) {
                failure.set(ex);
            }
        });
        joining.start();
        await().until(() -> joining.getState() == Thread.State.WAITING);
        joining.interrupt();
        joining.join();
        assertThat(failure.get()).isInstanceOf(InterruptedException.class);

        server.resume();
        registrar.leave(instance);

        assertThat(resolver.lookup("orders").instances()).isEmpty();
        try (ForeignClient foreign = new ForeignClient(server.address())) {
            assertThat(foreign.stat(PATH)).isNull();
        }
    }

    @Test
    void isBackAfterTheServerHungForLongerThanTheSession() throws Exception {
        server.start();
        Registry registry = registries.open(server.url(), TIMING);
        Registrar registrar = Registries.registrar(registry);
        registrar.join(instance);
        RecordingListener listener = new RecordingListener();
        Registries.resolver(registry).watch("orders", listener);

        server.pause();
        listener.awaitLoss();
        server.resume();

        joinUntilItSucceeds(registrar);
        assertThat(Registries.resolver(registry).lookup("orders").instances()).hasSize(1);
        try (ForeignClient foreign = new ForeignClient(server.address())) {
            long owner = foreign.stat(PATH).getEphemeralOwner();
            registrar.join(instance);
            assertThat(foreign.stat(PATH).getEphemeralOwner()).isEqualTo(owner);
        }
    }

    @Test
    void isBackAfterTheServerWasKilledAndLostItsData() throws Exception {
        server.start();
        Registry registry = registries.open(server.url(), TIMING);
        Registrar registrar = Registries.registrar(registry);
        Resolver resolver = Registries.resolver(registry);
        registrar.join(instance);
        String incarnation = resolver.lookup("orders").incarnation();
        RecordingListener listener = new RecordingListener();
        resolver.watch("orders", listener);

        server.kill();
        server.wipe();
        server.start();

        listener.awaitLoss();
        joinUntilItSucceeds(registrar);
        assertThat(resolver.lookup("orders").instances()).hasSize(1);
        assertThat(resolver.lookup("orders").incarnation()).isNotNull().isNotEqualTo(incarnation);
    }

    @Test
    void theServerForgetsAServiceWithoutInstancesButNotTheChroot() throws Exception {
        server.start();
        Registrar registrar = Registries.registrar(registries.open(server.url() + "/team-a", TIMING));
        registrar.join(instance);
        registrar.leave(instance);

        try (ForeignClient foreign = new ForeignClient(server.address())) {
            await().atMost(Duration.ofSeconds(30)).until(() -> foreign.stat("/team-a/services") == null);
            assertThat(foreign.stat("/team-a")).isNotNull();
        }
        registrar.join(instance);
    }

    @Test
    void aNodeLongerThanTheClientCanTakeHidesNothingElse() throws Exception {
        server.start();
        Registry registry = registries.open(server.url(), Registries.TIMING);
        Registries.registrar(registry).join(instance);

        try (ForeignClient foreign = new ForeignClient(server.address())) {
            foreign.write("/services/orders/huge", new byte[6_000_000]);
            Listing listing = Registries.resolver(registry).lookup("orders");

            assertThat(listing.instances()).containsExactly(instance);
            assertThat(listing.rejected())
                    .extracting(Listing.RejectedRecord::key)
                    .containsExactly("/services/orders/huge");
        }
    }

    @Test
    void aHungServerDoesNotHoldUpTheEnd() throws Exception {
        server.start();
        Timing patient = new Timing(Duration.ofSeconds(1), Duration.ofMinutes(30), Duration.ofMinutes(10));
        Registry registry = registries.open(
                Registries.definition("hung", server.url(), patient, new Credentials(null, null, null)));
        Registries.registrar(registry).join(instance);

        server.pause();
        registry.client().close();

        await().until(() -> Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().startsWith("rollcall-hung")));
    }
}
