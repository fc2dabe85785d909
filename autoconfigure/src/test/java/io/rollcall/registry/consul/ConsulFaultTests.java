package io.rollcall.registry.consul;

import static io.rollcall.registry.consul.ConsulClients.definition;
import static io.rollcall.registry.consul.ConsulClients.instance;
import static io.rollcall.registry.consul.ConsulClients.registrar;
import static io.rollcall.registry.consul.ConsulClients.resolver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.consul.ConsulClients.Listener;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An agent that fails, in every way that it can. */
class ConsulFaultTests {

    private static ConsulServer server;

    private final String service = "orders-" + UUID.randomUUID();

    @AutoClose
    private final ConsulClients clients = new ConsulClients();

    @BeforeAll
    static void start() {
        ConsulServer.skipIfReal("needs an agent that fails");
        server = ConsulServer.running();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    @AfterEach
    void heal() {
        server.answerRightly();
    }

    private static long queries(String service) {
        return server.takeRequests().stream()
                .filter(line -> line.contains("/health/service/" + service))
                .count();
    }

    @ParameterizedTest
    @CsvSource({
        "500,No cluster leader",
        "502,<html>",
        "404,gone",
        "429,Your IP is issuing too many concurrent connections"
    })
    void everyStatusThatIsNoSuccessIsAFailure(int status, String body) throws Exception {
        Registry registry = clients.open(server.url());
        server.answer("/v1/", status, body + "\nsecond line");

        if (status != 404) {
            assertThatExceptionOfType(IOException.class)
                    .isThrownBy(() -> registrar(registry).join(instance(service, 8081)))
                    .withMessageContaining("Consul answers " + status)
                    .withMessageEndingWith(": " + body);
        }
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> resolver(registry).lookup(service))
                .withMessageContaining("Consul answers " + status);
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> resolver(registry).services());
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> resolver(registry).watch(service, new Listener()));
        server.answerRightly();

        registrar(registry).join(instance(service, 8081));
        assertThat(resolver(registry).lookup(service).instances()).hasSize(1);
    }

    /** Consul takes 200 connections of a host, and refuses renewals like anything else beyond them. */
    @Test
    void manyWatchesTakeTurnsAndTheLastHearsOfAChangeToo() throws Exception {
        Registry registry = clients.open(server.url());
        List<Listener> listeners = new ArrayList<>();
        server.takeMostAtOnce();
        for (int i = 0; i < 80; i++) {
            listeners.add(new Listener());
            resolver(registry).watch(service + "-" + i, listeners.get(i));
        }
        Listener last = listeners.get(79);
        await().until(() -> queries(service + "-79?passing=true&index=") > 0);

        registrar(registry).join(instance(service + "-79", 8081));
        await().until(() -> last.changes.get() > 0);

        assertThat(server.takeMostAtOnce()).isBetween(40, 60);
        assertThat(listeners).allSatisfy(each -> assertThat(each.losses).isEmpty());
    }

    @Test
    void aLeaveThatFailsIsOneToBeTriedAgain() throws Exception {
        Registry registry = clients.open(server.url());
        registrar(registry).join(instance(service, 8081));
        server.answer("PUT /v1/agent/service/deregister", 500, "rpc error");

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> registrar(registry).leave(instance(service, 8081)))
                .withMessage("Consul answers 500 to a deregistration: rpc error");
        server.answerRightly();
        registrar(registry).leave(instance(service, 8081));

        assertThat(resolver(registry).lookup(service).instances()).isEmpty();
    }

    @Test
    void whatIsWrongWithTheInstanceIsARefusal() {
        Registry registry = clients.open(server.url());
        server.answer("/v1/agent/service/register", 400, "Invalid Service Meta: too odd");

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registrar(registry).join(instance(service, 8081)))
                .withMessage("Consul answers 400 to a registration: Invalid Service Meta: too odd");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "[", "null", "7", "\"x\""})
    void anAnswerThatIsNoneIsAFailure(String body) {
        Registry registry = clients.open(server.url());
        server.answer("/v1/health/service", 200, body);

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> resolver(registry).lookup(service))
                .withMessageContaining("not what it should be");
    }

    @Test
    void aHungAgentFailsWithinTheTimeoutAndIsUsedAgainAfterwards() throws Exception {
        Timing timing = new Timing(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofMillis(500));
        Registry registry = clients.open(definition(server.url(), Mode.TTL, timing, null, null));
        server.pause();
        try {
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> registrar(registry).join(instance(service, 8081)));
            assertThatExceptionOfType(SocketTimeoutException.class)
                    .isThrownBy(() -> resolver(registry).lookup(service));
        } finally {
            server.resume();
        }
        await().ignoreExceptions().untilAsserted(() -> {
            registrar(registry).join(instance(service, 8081));
            assertThat(resolver(registry).lookup(service).instances()).hasSize(1);
        });
    }

    @Test
    void aKilledAgentEndsTheWatchAndRaisesDoubt() throws Exception {
        try (ConsulServer mortal = ConsulServer.running()) {
            Registry registry = clients.open(mortal.url());
            registrar(registry).join(instance(service, 8081));
            String before = resolver(registry).lookup(service).incarnation();
            Listener listener = new Listener();
            try (Watch watch = resolver(registry).watch(service, listener)) {
                assertThat(watch).isNotNull();
                await().until(() -> mortal.takeRequests().stream().anyMatch(line -> line.contains("wait=55s")));
                mortal.kill();
                await().until(() -> listener.losses.size() == 1);
                assertThatException().isThrownBy(() -> resolver(registry).lookup(service));
            }
            mortal.start();

            Listing after = resolver(registry).lookup(service);

            assertThat(after.instances()).isEmpty();
            assertThat(after.incarnation()).isNotEqualTo(before);
            Listener second = new Listener();
            try (Watch watch = resolver(registry).watch(service, second)) {
                assertThat(watch).isNotNull();
                registrar(registry).join(instance(service, 8081));
                await().until(() -> second.changes.get() > 0);
                assertThat(resolver(registry).lookup(service).instances()).hasSize(1);
            }
        }
    }

    @Test
    void aProxyThatEndsSilentQueriesRaisesNoDoubt() throws Exception {
        Registry registry = clients.open(server.url());
        registrar(registry).join(instance(service, 8081));
        String before = resolver(registry).lookup(service).incarnation();
        Listener listener = new Listener();
        server.answer("wait=55s", 504, "upstream request timeout");
        try (Watch watch = resolver(registry).watch(service, listener)) {
            assertThat(watch).isNotNull();
            await().until(() -> listener.losses.size() == 1);
        }

        assertThat(resolver(registry).lookup(service).incarnation()).isEqualTo(before);
    }

    @Test
    void aBrokenQueryRaisesDoubtAboutItsOwnServiceAlone() throws Exception {
        Registry registry = clients.open(server.url());
        String other = resolver(registry).lookup("other-" + service).incarnation();
        String before = resolver(registry).lookup(service).incarnation();
        Listener listener = new Listener();
        server.answer("wait=55s", 502, "bad gateway");
        try (Watch watch = resolver(registry).watch(service, listener)) {
            assertThat(watch).isNotNull();
            registrar(registry).join(instance(service, 8081));
            await().until(() -> listener.losses.size() == 1);
        }

        assertThat(resolver(registry).lookup(service).incarnation()).isNotEqualTo(before);
        assertThat(resolver(registry).lookup("other-" + service).incarnation()).isEqualTo(other);
    }

    @Test
    void aBadAnswerEndsOneWatchAndNoOther() throws Exception {
        Registry registry = clients.open(server.url());
        Listener listener = new Listener();
        Listener other = new Listener();
        try (Watch watch = resolver(registry).watch(service, listener);
                Watch otherWatch = resolver(registry).watch("other-" + service, other)) {
            assertThat(List.of(watch, otherWatch)).hasSize(2);
            server.answer("/health/service/" + service, 400, "Invalid index");
            server.moveIndex(service, 1);

            await().until(() -> listener.losses.size() == 1);

            assertThat(listener.losses.get(0))
                    .hasMessageContaining("Consul answers 400")
                    .hasMessageEndingWith("Invalid index");
            server.answerRightly();
            registrar(registry).join(instance("other-" + service, 8082));
            await().until(() -> other.changes.get() > 0);
            assertThat(other.losses).isEmpty();
        }
    }

    @Test
    void anIndexThatMovesWithoutAChangeIsNoChangeAndNoBusyLoop() throws Exception {
        Registry registry = clients.open(server.url());
        registrar(registry).join(instance(service, 8081));
        Listener listener = new Listener();
        try (Watch watch = resolver(registry).watch(service, listener)) {
            assertThat(watch).isNotNull();
            server.takeRequests();
            int moves = 300;
            for (int i = 0; i < moves; i++) {
                server.moveIndex(service, 1);
            }
            assertThat(queries(service)).as("far fewer than moves").isLessThan(moves / 4);

            registrar(registry).join(instance(service, 8081).withMetadata(Map.of("weight", "3")));
            await().until(() -> listener.changes.get() > 0);
            assertThat(listener.changes).hasValue(1);
            assertThat(listener.losses).isEmpty();
        }
    }

    @Test
    void anIndexThatGoesBackwardsIsFollowed() throws Exception {
        Registry registry = clients.open(server.url());
        registrar(registry).join(instance(service, 8081));
        server.moveIndex(service, 1000);
        String before = resolver(registry).lookup(service).incarnation();
        Listener listener = new Listener();
        try (Watch watch = resolver(registry).watch(service, listener)) {
            assertThat(watch).isNotNull();
            await().until(() -> server.takeRequests().stream().anyMatch(line -> line.contains("wait=55s")));
            server.moveIndex(service, -900);

            await().until(() ->
                    !before.equals(resolver(registry).lookup(service).incarnation()));
            registrar(registry).join(instance(service, 8082));
            await().until(() -> listener.changes.get() == 1);
            assertThat(listener.losses).isEmpty();
        }
    }

    @Test
    void theIndexIsNeverBelowOneAndResetWhenItGoesBackwards() {
        assertThat(QueryIndex.next(0, 13)).isEqualTo(13);
        assertThat(QueryIndex.next(13, 13)).isEqualTo(13);
        assertThat(QueryIndex.next(13, 14)).isEqualTo(14);
        assertThat(QueryIndex.next(14, 13)).isZero();
        assertThat(QueryIndex.next(0, 0)).isEqualTo(1);
        assertThat(QueryIndex.next(1, 0)).isZero();
        assertThat(QueryIndex.parse("x")).isZero();
        assertThat(QueryIndex.parse("-4")).isZero();
        assertThat(QueryIndex.parse(" 15 ")).isEqualTo(15);
    }

    @Test
    void aServerWithoutAnIndexIsNotAskedWithoutPause() throws Exception {
        Registry registry = clients.open(server.url());
        server.answer("/health/service/" + service, 200, "[]");
        Listener listener = new Listener();
        try (Watch watch = resolver(registry).watch(service, listener)) {
            assertThat(watch).isNotNull();
            server.takeRequests();
            long start = System.nanoTime();
            long[] asked = {0};
            await().until(() -> (asked[0] += queries(service)) >= 5);

            // Pauses of 20, 40, 80, 160 ms and so on: that many took at least their sum, however slow the machine is.
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(200));
            assertThat(listener.changes).hasValue(0);
        }
    }

    @Test
    void poisonedEntriesHideNoOthers() throws Exception {
        Registry registry = clients.open(server.url());
        registrar(registry).join(instance(service, 8081));
        List<String> bad = List.of(
                "{}",
                "{\"Node\":null,\"Service\":null,\"Checks\":null}",
                "{\"Service\":{\"ID\":\"no-port\",\"Address\":\"h\"}}",
                "{\"Service\":{\"ID\":\"odd-port\",\"Address\":\"h\",\"Port\":\"x\"}}",
                "{\"Service\":{\"ID\":\"port-0\",\"Address\":\"h\",\"Port\":0}}",
                "{\"Service\":{\"ID\":\"no-address\",\"Port\":80}}",
                "{\"Service\":{\"ID\":\"odd-address\",\"Address\":\"h/../x\",\"Port\":80}}",
                "{\"Service\":{\"ID\":\"odd-more\",\"Address\":\"h\",\"Port\":80,\"Meta\":{\"rollcall-more-0\":\"{\"}}}",
                "{\"Service\":[],\"Checks\":{}}");
        for (String entry : bad) {
            server.plant(service, entry);
        }
        server.plant(
                service,
                "{\"Node\":{\"Address\":\"10.0.0.9\"},\"Service\":{\"ID\":\"null-meta\",\"Address\":\"\",\"Port\":80,"
                        + "\"Meta\":null,\"Tags\":null,\"Weights\":null},\"Checks\":null}");
        server.plant(
                service,
                "{\"Service\":{\"ID\":\"tagged\",\"Address\":\"[fd00::1]\",\"Port\":443,\"Tags\":[\"secure=true\"],"
                        + "\"Weights\":{\"Passing\":50,\"Warning\":1},\"Meta\":{\"x\":null,\"n\":7}},\"Checks\":[]}");
        server.plant(
                service,
                "{\"Service\":{\"ID\":\"ill\",\"Address\":\"h\",\"Port\":80},\"Checks\":[{\"Status\":\"warning\"}]}");

        Listing listing = resolver(registry).lookup(service);

        assertThat(listing.rejected()).hasSize(bad.size());
        assertThat(listing.instances())
                .extracting(Instance::id)
                .contains("null-meta", "tagged")
                .hasSize(3);
        assertThat(listing.instances())
                .filteredOn(each -> each.id().equals("null-meta"))
                .first()
                .satisfies(found -> {
                    assertThat(found.address()).isEqualTo("10.0.0.9:80");
                    assertThat(found.metadata()).isEmpty();
                    assertThat(found.weight()).isEqualTo(Instance.DEFAULT_WEIGHT);
                });
        assertThat(listing.instances())
                .filteredOn(each -> each.id().equals("tagged"))
                .first()
                .satisfies(found -> {
                    assertThat(found.uri()).hasToString("https://[fd00::1]:443");
                    assertThat(found.weight()).isEqualTo(50);
                    assertThat(found.metadata()).containsEntry("n", "7").doesNotContainKey("x");
                });
    }

    @Test
    void closingEndsQueriesThatWait() throws Exception {
        Registry registry = clients.open(server.url());
        Listener listener = new Listener();
        for (int i = 0; i < 20; i++) {
            resolver(registry).watch(service + i, listener);
        }
        await().until(() -> server.takeRequests().stream().anyMatch(line -> line.contains("wait=55s")));
        assertThat(threads()).as("no thread per watch").hasSize(2);

        registry.client().close();
        registry.client().close();

        assertThat(threads()).isEmpty();
        assertThat(listener.losses).isEmpty();
        assertThatException().isThrownBy(() -> resolver(registry).lookup(service));
    }

    private static List<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("rollcall-consul-"))
                .toList();
    }
}
