package io.rollcall.registry.consul;

import static io.rollcall.registry.consul.ConsulClients.TIMING;
import static io.rollcall.registry.consul.ConsulClients.check;
import static io.rollcall.registry.consul.ConsulClients.definition;
import static io.rollcall.registry.consul.ConsulClients.instance;
import static io.rollcall.registry.consul.ConsulClients.registrar;
import static io.rollcall.registry.consul.ConsulClients.resolver;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.registry.HealthCheck;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.json.JsonWriter;
import org.springframework.mock.env.MockEnvironment;

/** What stands in the agent, and when it is written. */
class ConsulRegistrarTests {

    private static ConsulServer server;

    private final String service = "orders-" + UUID.randomUUID();

    @AutoClose
    private final ConsulClients clients = new ConsulClients();

    @BeforeAll
    static void start() {
        server = ConsulServer.running();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static Map<String, Object> registered(String id) {
        return JsonObjects.object(new Json()
                .readObject(
                        server.send("GET", "/v1/agent/services", null).body().getBytes(StandardCharsets.UTF_8),
                        10_000_000)
                .get(id));
    }

    private static String status(String id) {
        return Json.text(
                new Json()
                        .readObject(server.send("GET", "/v1/agent/health/service/id/" + id, null)
                                .body()
                                .getBytes(StandardCharsets.UTF_8)),
                "AggregatedStatus");
    }

    private List<Instance> listed(Registry registry) throws Exception {
        return resolver(registry).lookup(service).instances();
    }

    @Test
    void writesAnEntryThatOthersUnderstand() throws Exception {
        Instance instance =
                new Instance("one", service, "127.0.0.1", 8443, true, Map.of("zone", "a", "weight", "250", "a.b", "1"));
        Registry registry = clients.open(server.url() + "?tags=blue,%20green", Mode.TTL);

        registrar(registry).join(instance);

        Map<String, Object> entry = registered("one");
        assertThat(entry)
                .containsEntry("Service", service)
                .containsEntry("Address", "127.0.0.1")
                .containsEntry("Port", 8443)
                .containsEntry("Tags", List.of("blue", "green"))
                .containsEntry("Weights", Map.of("Passing", 250, "Warning", 1))
                .containsEntry("EnableTagOverride", false);
        assertThat(JsonObjects.texts(entry.get("Meta")))
                .containsEntry("zone", "a")
                .containsEntry("weight", "250")
                .containsEntry("secure", "true")
                .containsEntry("rollcall-more-0", "{\"a.b\":\"1\"}")
                .containsKey("rollcall-owner")
                .hasSize(5);
        await().untilAsserted(() -> assertThat(listed(registry)).singleElement().satisfies(found -> {
            assertThat(found.metadata()).isEqualTo(Map.of("zone", "a", "weight", "250", "a.b", "1", "secure", "true"));
        }));
    }

    @Test
    void weightZeroIsToldByTheMetadata() throws Exception {
        Registry registry = clients.open(server.url());

        registrar(registry).join(instance(service, 8081).withMetadata(Map.of("weight", "0")));

        assertThat(registered(instance(service, 8081).id()))
                .containsEntry("Weights", Map.of("Passing", 1, "Warning", 1));
        await().untilAsserted(() -> assertThat(listed(registry))
                .singleElement()
                .satisfies(found -> assertThat(found.weight()).isZero()));
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void isListedAtOnceInEveryMode(Mode mode) throws Exception {
        Registry registry = clients.open(server.url(), mode);

        registrar(registry).join(instance(service, server.port()));

        assertThat(status(instance(service, server.port()).id())).isEqualTo("passing");
        await().untilAsserted(() -> assertThat(listed(registry)).hasSize(1));
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"HTTP", "TCP"})
    void theAgentChecksByItself(Mode mode) throws Exception {
        HttpServer application = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        AtomicInteger answer = new AtomicInteger(200);
        application.createContext("/own/health", exchange -> {
            exchange.sendResponseHeaders(answer.get(), -1);
            exchange.close();
        });
        application.start();
        HealthCheck check = new HealthCheck(
                mode, "/own/health", Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(1));
        Registry registry = clients.open(definition(server.url(), check, TIMING, null, null));
        Instance instance = instance(service, application.getAddress().getPort());
        try {
            registrar(registry).join(instance);
            await().untilAsserted(() -> assertThat(listed(registry)).hasSize(1));
            if (mode == Mode.HTTP) {
                answer.set(503);
                await().until(() -> listed(registry).isEmpty());
                answer.set(204);
                await().until(() -> listed(registry).size() == 1);
            }
        } finally {
            application.stop(0);
        }
        await().until(() -> listed(registry).isEmpty());
        registrar(registry).join(instance);
        assertThat(listed(registry)).as("joining again makes nobody healthy").isEmpty();
    }

    @Test
    void onlyThoseThatAreHealthyAreListed() throws Exception {
        Registry registry = clients.open(server.url(), Mode.TCP);
        registrar(registry).join(instance(service, server.port()));
        registrar(registry).join(instance(service, 1));

        await().untilAsserted(() ->
                assertThat(listed(registry)).extracting(Instance::port).containsExactly(server.port()));
        assertThat(resolver(registry).lookup(service).rejected()).isEmpty();
    }

    @Test
    void inModeTtlWhoDoesNotRenewIsUnhealthyAndComesBackByRenewing() throws Exception {
        Timing timing = new Timing(Duration.ofMillis(300), Duration.ofSeconds(1), Duration.ofSeconds(10));
        Registry registry = clients.open(definition(server.url(), Mode.TTL, timing, null, null));
        registrar(registry).join(instance(service, 8081));
        await().until(() -> listed(registry).isEmpty());

        registrar(registry).join(instance(service, 8081));

        await().until(() -> listed(registry).size() == 1);
    }

    @Test
    void inModeTtlALostCheckIsRegisteredAgain() throws Exception {
        ConsulServer.skipIfReal("needs an agent that loses a check");
        Registry registry = clients.open(server.url());
        Instance instance = instance(service, 8081);
        registrar(registry).join(instance);
        server.send(
                "PUT",
                "/v1/agent/service/register?replace-existing-checks",
                JsonWriter.standard().writeToString(withName(registered(instance.id()))));
        assertThat(server.send("PUT", "/v1/agent/check/pass/service:" + instance.id(), null)
                        .statusCode())
                .isEqualTo(500);

        registrar(registry).join(instance);

        assertThat(server.send("PUT", "/v1/agent/check/pass/service:" + instance.id(), null)
                        .statusCode())
                .isEqualTo(200);
    }

    private static Map<String, Object> withName(Map<String, Object> entry) {
        entry.put("Name", entry.get("Service"));
        return entry;
    }

    @ParameterizedTest
    @EnumSource(
            value = Mode.class,
            names = {"HTTP", "TCP", "NONE"})
    void writesNothingWhileNothingChanges(Mode mode) throws Exception {
        ConsulServer.skipIfReal("its requests can not be counted");
        Registrar registrar = registrar(clients.open(server.url(), mode));
        registrar.join(instance(service, server.port()));
        server.takeRequests();

        for (int i = 0; i < 5; i++) {
            registrar.join(instance(service, server.port()));
        }

        assertThat(server.takeRequests()).hasSize(5).allMatch(line -> line.startsWith("GET "));
    }

    @Test
    void inModeTtlARenewalIsOneLookAndOnePass() throws Exception {
        ConsulServer.skipIfReal("its requests can not be counted");
        Registrar registrar = registrar(clients.open(server.url()));
        registrar.join(instance(service, 8081));
        server.takeRequests();

        registrar.join(instance(service, 8081));

        assertThat(server.takeRequests()).hasSize(2).first().asString().startsWith("GET /v1/agent/health/service/id/");
    }

    @Test
    void deadInstancesAreRemovedAndLivingOnesComeBackAsUnhealthy() throws Exception {
        try (ConsulServer quick = ConsulServer.withMinutesOf(500)) {
            Registry registry = clients.open(quick.url(), Mode.TCP);
            registrar(registry).join(instance(service, 1));
            registrar(registry).join(instance(service, 1));
            await().until(() -> {
                registrar(registry).join(instance(service, 2));
                return quick.send(
                                        "GET",
                                        "/v1/agent/health/service/id/"
                                                + instance(service, 1).id(),
                                        null)
                                .statusCode()
                        == 404;
            });
            // Its status is what was last seen of it.
            Instance seen = instance(service, 2);
            await().until(() -> quick.send("GET", "/v1/agent/health/service/id/" + seen.id(), null)
                            .statusCode()
                    == 404);
            registrar(registry).join(seen);

            assertThat(resolver(registry).lookup(service).instances()).isEmpty();
        }
    }

    @Test
    void maintenanceModeOutlivesRenewalsAndChanges() throws Exception {
        Registry registry = clients.open(server.url());
        Instance instance = instance(service, 8081);
        registrar(registry).join(instance);
        server.send("PUT", "/v1/agent/service/maintenance/" + instance.id() + "?enable=true&reason=drain", null);
        await().until(() -> listed(registry).isEmpty());

        registrar(registry).join(instance);
        registrar(registry).join(instance.withMetadata(Map.of("weight", "5")));

        assertThat(registered(instance.id())).containsEntry("Weights", Map.of("Passing", 5, "Warning", 1));
        assertThat(listed(registry)).isEmpty();
        server.send("PUT", "/v1/agent/service/maintenance/" + instance.id() + "?enable=false", null);
        await().until(() -> listed(registry).size() == 1);
    }

    @Test
    void formerEntriesOfOurAddressAreRemoved() throws Exception {
        Instance dead = new Instance("random-1", service, "127.0.0.1", 8081, false, Map.of());
        registrar(clients.open(server.url())).join(dead);
        Registry registry = clients.open(server.url());

        registrar(registry).join(new Instance("random-2", service, "127.0.0.1", 8081, false, Map.of()));

        await().untilAsserted(() ->
                assertThat(listed(registry)).extracting(Instance::id).containsExactly("random-2"));
        assertThat(registered("random-1")).isEmpty();
    }

    @Test
    void whoLosesItsIdToAnotherAddressDoesNotFight() throws Exception {
        Registrar first = registrar(clients.open(server.url()));
        Registrar second = registrar(clients.open(server.url()));
        Instance instance = new Instance("same-" + service, service, "127.0.0.1", 8081, false, Map.of());
        first.join(instance);
        second.join(new Instance(instance.id(), service, "127.0.0.1", 8082, false, Map.of()));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> first.join(instance))
                .withMessageContaining("taken over by 127.0.0.1:8082");
        assertThat(registered(instance.id())).containsEntry("Port", 8082);
    }

    @Test
    void twoRegistriesWithOneAgentDoNotOverwriteEachOtherForEver() throws Exception {
        ConsulServer.skipIfReal("its requests can not be counted");
        Registrar first = registrar(clients.open(server.url(), Mode.TCP));
        Registrar second = registrar(clients.open(server.url(), Mode.TCP));
        Instance instance = instance(service, server.port());
        first.join(instance);
        second.join(instance);
        server.takeRequests();

        first.join(instance);
        second.join(instance);
        first.join(instance);

        assertThat(server.takeRequests()).hasSize(3).allMatch(line -> line.startsWith("GET "));
    }

    @Test
    void theAddressCanBeLeftToTheAgent() throws Exception {
        Registry registry = clients.open(server.url() + "?address=agent", Mode.NONE);

        registrar(registry).join(new Instance("mine-" + service, service, "10.9.8.7", 8081, false, Map.of()));

        assertThat(registered("mine-" + service)).containsEntry("Address", "");
        await().untilAsserted(() -> assertThat(listed(registry)).singleElement().satisfies(found -> {
            assertThat(found.host()).isNotEqualTo("10.9.8.7").isNotEmpty();
            assertThat(found.port()).isEqualTo(8081);
        }));
    }

    @Test
    void withSwoolesPrefixItIsAsSwooleWritesIt() throws Exception {
        Registry registry = clients.open(definition(server.url(), Mode.NONE, TIMING, "swoole_service_", null));
        Instance instance = new Instance("one", service, "127.0.0.1", 9501, false, Map.of("weight", "4000"));

        registrar(registry).join(instance);

        String id = "swoole_service_" + service + "_127.0.0.1:9501";
        assertThat(registered(id))
                .containsEntry("Service", "swoole_service_" + service)
                .containsEntry("Address", "127.0.0.1")
                .containsEntry("Weights", Map.of("Passing", 100, "Warning", 1));
        await().untilAsserted(() -> assertThat(listed(registry)).singleElement().satisfies(found -> {
            assertThat(found.id()).isEqualTo("one");
            assertThat(found.service()).isEqualTo(service);
            assertThat(found.weight()).isEqualTo(4000);
        }));
        await().untilAsserted(() -> assertThat(resolver(registry).services()).contains(service));
        assertThat(resolver(registry).services()).doesNotContain("consul");
        registrar(registry).leave(instance);
        assertThat(registered(id)).isEmpty();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() ->
                        registrar(registry).join(new Instance("two", service, "host.example", 9501, false, Map.of())))
                .withMessageContaining("IPv4");
    }

    @Test
    void refusesWhatConsulCanNotHold() {
        Registrar registrar = registrar(clients.open(server.url()));

        for (String name : List.of("a/b", "..", ".", " ", "a\nb", "x".repeat(513))) {
            assertThatIllegalArgumentException().as(name).isThrownBy(() -> registrar.checkServiceName(name));
        }
        registrar.checkServiceName("orders_v2.ä b");
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registrar.join(new Instance("a/b", service, "h", 1, false, Map.of())));
    }

    @Test
    void holdsNamesOfAllKinds() throws Exception {
        Registry registry = clients.open(server.url());
        for (String name : List.of("a_b." + service, "a b?c=d&e#f%41 " + service, "ä" + service, "{x}*" + service)) {
            registrar(registry).join(new Instance(name + "-id", name, "127.0.0.1", 8081, false, Map.of()));
            await().untilAsserted(
                            () -> assertThat(resolver(registry).lookup(name).instances())
                                    .as(name)
                                    .hasSize(1));
            registrar(registry).leave(new Instance(name + "-id", name, "127.0.0.1", 8081, false, Map.of()));
            await().untilAsserted(
                            () -> assertThat(resolver(registry).lookup(name).instances())
                                    .as(name)
                                    .isEmpty());
        }
    }

    @Test
    void aLateWriteThatWasGivenUpIsRemovedToo() throws Exception {
        Registrar registrar = registrar(clients.open(server.url(), Mode.NONE));
        Instance instance = instance(service, 8081);
        registrar.join(instance);
        server.pause();
        Thread caller = Thread.currentThread();
        Thread interrupter = new Thread(() -> {
            await().until(() ->
                    caller.getState() == Thread.State.WAITING || caller.getState() == Thread.State.TIMED_WAITING);
            caller.interrupt();
        });
        interrupter.start();
        try {
            assertThatExceptionOfType(InterruptedException.class)
                    .isThrownBy(() -> registrar.join(instance.withMetadata(Map.of("weight", "1"))));
        } finally {
            interrupter.join();
            server.resume();
        }

        registrar.leave(instance);

        assertThat(registered(instance.id())).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "a=b, http://10.0.0.7:8080/actuator/health",
        "rollcall.ports.http.port=30080, http://10.0.0.7:30080/actuator/health",
        "local.management.port=9090 rollcall.ports.http.port=30080, http://10.0.0.7:9090/actuator/health",
        "local.management.port=9090 management.server.address=10.0.0.8, http://10.0.0.8:9090/actuator/health",
        "local.management.port=9090 management.server.address=0.0.0.0, http://10.0.0.7:9090/actuator/health",
        "local.management.port=9090 management.server.address=::, http://10.0.0.7:9090/actuator/health",
        "local.management.port=9090 management.server.address=[fd00::8], http://[fd00::8]:9090/actuator/health",
        "local.management.port=9090 management.server.address=10.0.0.8 rollcall.ports.management.port=30090,"
                + " http://10.0.0.7:30090/actuator/health"
    })
    void theAgentAsksForActuatorWherePortsAreMappedTo(String properties, String url) {
        MockEnvironment environment = new MockEnvironment().withProperty("local.server.port", "8080");
        for (String property : properties.split(" ")) {
            environment.setProperty(property.split("=")[0], property.split("=")[1]);
        }
        StaticListableBeanFactory beans = new StaticListableBeanFactory(Map.of("endpoints", new HealthEndpointOnly()));
        ConsulChecks checks = new ConsulChecks(
                definition(server.url(), check(null), TIMING, null, null), new ActuatorHealth(beans, environment));

        assertThat(checks.of(new Instance("one", service, "10.0.0.7", 30080, false, Map.of()), "one", "passing"))
                .containsEntry("HTTP", url);
    }

    private static final class HealthEndpointOnly extends PathMappedEndpoints {

        private HealthEndpointOnly() {
            super("/actuator", List.of());
        }

        @Override
        public String getPath(EndpointId endpoint) {
            return "/actuator/" + endpoint;
        }
    }

    @Test
    void checkDefinitionsAlwaysSayWhenToRemove() {
        for (Mode mode : List.of(Mode.HTTP, Mode.TCP, Mode.TTL)) {
            ConsulChecks checks = new ConsulChecks(
                    definition(server.url(), check(mode), TIMING, null, null),
                    new ActuatorHealth(new StaticListableBeanFactory(), new MockEnvironment()));

            assertThat(checks.of(instance(service, 8081), "one", "passing"))
                    .containsEntry("CheckID", "service:one")
                    .containsEntry("DeregisterCriticalServiceAfter", "60000ms");
        }
    }
}
