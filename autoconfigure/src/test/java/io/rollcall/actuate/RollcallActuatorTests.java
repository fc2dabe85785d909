package io.rollcall.actuate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import io.rollcall.TestApplication;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.client.RestClient;

class RollcallActuatorTests {

    private static final String MARKER = "MARKER-of-a-secret";

    private final TestApplication application =
            TestApplication.named("orders").with("rollcall.registries.one.url=" + TestApplication.unique("memory:"));

    private static RestClient actuator(ConfigurableApplicationContext context) {
        return RestClient.builder()
                .baseUrl("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port") + "/actuator")
                .defaultStatusHandler(status -> true, (request, response) -> {})
                .build();
    }

    private static String text(ConfigurableApplicationContext context, String path) {
        return actuator(context).get().uri(path).retrieve().body(String.class);
    }

    private static Map<String, Object> get(ConfigurableApplicationContext context, String path) {
        return actuator(context).get().uri(path).retrieve().body(new ParameterizedTypeReference<>() {});
    }

    @SuppressWarnings("unchecked")
    private static <T> T at(Object object, Object... path) {
        Object here = object;
        for (Object step : path) {
            here = step instanceof Integer index
                    ? ((List<Object>) here).get(index)
                    : ((Map<String, Object>) here).get(step);
        }
        return (T) here;
    }

    @Test
    void theEndpointShowsRegistrationsAndServices() {
        try (ConfigurableApplicationContext context = application.start()) {
            await().until(() -> "REGISTERED"
                    .equals(at(get(context, "/registrations"), "registrations", 0, "registries", 0, "state")));
            context.getBean(DiscoveryClient.class).getInstances("orders");

            Map<String, Object> all = get(context, "/registrations");

            assertThat(all).containsEntry("service", "orders").containsEntry("state", "online");
            Map<String, Object> port = at(all, "registrations", 0);
            assertThat(port)
                    .containsEntry("port", "http")
                    .containsEntry("serviceId", "orders")
                    .containsEntry("host", "127.0.0.1")
                    .containsEntry("secure", false)
                    .containsEntry("instanceId", "orders-127.0.0.1-" + port.get("portNumber"));
            assertThat(RollcallActuatorTests.<Map<String, Object>>at(port, "metadata"))
                    .containsEntry("scheme", "http");
            Map<String, Object> registry = at(port, "registries", 0);
            assertThat(registry)
                    .containsEntry("name", "one")
                    .containsEntry("type", "memory")
                    .containsEntry("attempts", 0)
                    .containsKeys("url", "since", "lastSuccess", "nextAttempt");
            assertThat(registry.get("lastError")).isNull();
            Map<String, Object> service = at(all, "services", "orders");
            assertThat(RollcallActuatorTests.<Map<String, Object>>at(service, "instances", 0))
                    .containsEntry("instanceId", port.get("instanceId"))
                    .containsEntry("uri", "http://127.0.0.1:" + port.get("portNumber"))
                    .containsEntry("registries", List.of("one"));
            assertThat(RollcallActuatorTests.<Map<String, Object>>at(service, "registries", "one"))
                    .containsEntry("state", "LIVE");
        }
    }

    @Test
    void noSecretIsShownAnywhere() {
        application.with(
                "rollcall.registries.gone.url=zookeeper://user:" + MARKER + "@127.0.0.1:1",
                "rollcall.registries.gone.timeout=200ms",
                "management.endpoint.configprops.show-values=always",
                "management.endpoint.env.show-values=never");
        try (ConfigurableApplicationContext context = application.start()) {
            await().until(() -> get(context, "/registrations").toString().contains("RETRYING"));

            for (String path : List.of("/registrations", "/health", "/env", "/beans", "/conditions")) {
                assertThat(text(context, path)).as(path).isNotEmpty().doesNotContain(MARKER);
            }
            assertThat(get(context, "/registrations").toString()).contains("zookeeper://******@127.0.0.1:1");
        }
    }

    @Test
    void noSecretIsShownOfPropertiesThatAreOneJsonText() {
        application.with(
                "spring.application.json={\"rollcall\": {\"registries\": {\"gone\": {" + "\"url\": \"zookeeper://user:"
                        + MARKER + "@127.0.0.1:1\", \"timeout\": \"200ms\"}}}}",
                "management.endpoint.env.show-values=always");
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(text(context, "/env"))
                    .contains("spring.application.json")
                    .doesNotContain(MARKER);
        }
    }

    @Test
    void healthHasADetailPerRegistryAndStaysUpWithoutThem() {
        application.with(
                "rollcall.registries.gone.url=zookeeper://127.0.0.1:1", "rollcall.registries.gone.timeout=200ms");
        try (ConfigurableApplicationContext context = application.start()) {
            await().until(() -> "RETRYING"
                    .equals(at(get(context, "/health"), "components", "rollcall", "details", "gone", "state")));

            Map<String, Object> health = at(get(context, "/health"), "components", "rollcall");
            assertThat(health).containsEntry("status", "UP");
            assertThat(RollcallActuatorTests.<String>at(health, "details", "one", "state"))
                    .isEqualTo("REGISTERED");
            assertThat(RollcallActuatorTests.<String>at(health, "details", "gone", "lastError"))
                    .isNotBlank();
        }
    }

    @Test
    void healthInsistsOnWhatIsRequired() {
        application.with(
                "rollcall.registries.gone.url=zookeeper://127.0.0.1:1",
                "rollcall.registries.gone.timeout=200ms",
                "rollcall.registration.required=gone");
        try (ConfigurableApplicationContext context = application.start()) {
            await().until(() -> "DOWN".equals(at(get(context, "/health"), "components", "rollcall", "status")));
        }
        application.with("rollcall.registration.required=any");
        try (ConfigurableApplicationContext context = application.start()) {
            await().until(() -> "UP".equals(at(get(context, "/health"), "components", "rollcall", "status")));
        }
        application.with("rollcall.registration.required=one", "rollcall.registries.gone.register=false");
        try (ConfigurableApplicationContext context = application.start()) {
            await().until(() -> "UP".equals(at(get(context, "/health"), "components", "rollcall", "status")));
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            await().until(() ->
                    "OUT_OF_SERVICE".equals(at(get(context, "/health"), "components", "rollcall", "status")));
        }
    }

    @Test
    void healthAsksOfEachPortOnlyForTheRegistriesThatItIsMeantFor() {
        application.with(
                "rollcall.registries.two.url=" + TestApplication.unique("memory:"),
                "rollcall.ports.grpc.port=9090",
                "rollcall.ports.grpc.registries=two",
                "rollcall.ports.management.enabled=true",
                "rollcall.registration.required=all");
        try (ConfigurableApplicationContext context = application.start()) {
            await().until(() -> "UP".equals(at(get(context, "/health"), "components", "rollcall", "status")));

            post(context, Map.of("state", "offline"), 200);

            await().until(() ->
                    "OUT_OF_SERVICE".equals(at(get(context, "/health"), "components", "rollcall", "status")));
        }
    }

    @Test
    void springCloudsOwnEndpointTakesTheInstanceOutAndBack() {
        try (ConfigurableApplicationContext context = application.start()) {
            DiscoveryClient client = context.getBean(DiscoveryClient.class);
            await().until(() -> client.getInstances("orders").size() == 1);
            assertThat(text(context, "/serviceregistry")).isEqualTo("UP");

            setStatus(context, "OUT_OF_SERVICE");
            await().until(() -> client.getInstances("orders").isEmpty());
            Map<String, Object> all = get(context, "/registrations");
            assertThat(all).containsEntry("state", "offline");
            assertThat(RollcallActuatorTests.<String>at(all, "registrations", 0, "registries", 0, "state"))
                    .isEqualTo("OFFLINE");
            assertThat(text(context, "/serviceregistry")).isEqualTo("OUT_OF_SERVICE");

            setStatus(context, "UP");
            await().until(() -> client.getInstances("orders").size() == 1);
            assertThat(get(context, "/registrations")).containsEntry("state", "online");
        }
    }

    private static void setStatus(ConfigurableApplicationContext context, String status) {
        actuator(context)
                .post()
                .uri("/serviceregistry")
                .contentType(MediaType.APPLICATION_JSON)
                .body(Map.of("status", status))
                .retrieve()
                .toBodilessEntity();
    }

    @Test
    void theEndpointTakesTheApplicationOutOfAllRegistriesAndBack() {
        application.with("rollcall.registries.two.url=" + TestApplication.unique("memory:"));
        try (ConfigurableApplicationContext context = application.start()) {
            DiscoveryClient client = context.getBean(DiscoveryClient.class);
            await().until(() -> client.getInstances("orders").size() == 1);

            for (int i = 0; i < 2; i++) {
                assertThat(post(context, Map.of("state", "offline"), 200)).containsEntry("state", "offline");
            }
            await().until(() -> client.getInstances("orders").isEmpty());
            await().until(() -> states(context).equals(List.of("OFFLINE", "OFFLINE")));

            assertThat(post(context, Map.of("state", "online"), 200)).containsEntry("state", "online");
            await().until(() -> states(context).equals(List.of("REGISTERED", "REGISTERED")));
            await().until(() -> client.getInstances("orders").size() == 1);
        }
    }

    @Test
    void theEndpointChangesTheWeight() {
        try (ConfigurableApplicationContext context = application.start()) {
            DiscoveryClient client = context.getBean(DiscoveryClient.class);
            await().until(() -> client.getInstances("orders").size() == 1);

            Map<String, Object> answer = post(context, Map.of("weight", 50), 200);

            assertThat(RollcallActuatorTests.<Map<String, Object>>at(answer, "registrations", 0, "metadata"))
                    .containsEntry("weight", "50");
            await().until(() -> "50"
                    .equals(client.getInstances("orders").get(0).getMetadata().get("weight")));
            post(context, Map.of("weight", 0), 200);
            await().until(() -> client.getInstances("orders").isEmpty());
        }
    }

    @Test
    void theEndpointRefusesNonsense() {
        try (ConfigurableApplicationContext context = application.start()) {
            post(context, Map.of("state", "sideways"), 400);
            post(context, Map.of("weight", 10_001), 400);
            post(context, Map.of("weight", -1), 400);
            post(context, Map.of("status", "offline"), 400);
            assertThat(get(context, "/registrations")).containsEntry("state", "online");
        }
    }

    private static List<String> states(ConfigurableApplicationContext context) {
        List<Map<String, Object>> registries = at(get(context, "/registrations"), "registrations", 0, "registries");
        return registries.stream()
                .map(registry -> (String) registry.get("state"))
                .toList();
    }

    private static Map<String, Object> post(ConfigurableApplicationContext context, Object body, int status) {
        ResponseEntity<Map<String, Object>> answer = actuator(context)
                .post()
                .uri("/registrations")
                .contentType(MediaType.APPLICATION_JSON)
                .body(body)
                .retrieve()
                .toEntity(new ParameterizedTypeReference<>() {});
        assertThat(answer.getStatusCode().value()).isEqualTo(status);
        return answer.getBody();
    }

    @Test
    void metersTellOfEveryRegistry() {
        application.with(
                "rollcall.registries.gone.url=zookeeper://127.0.0.1:1", "rollcall.registries.gone.timeout=200ms");
        try (ConfigurableApplicationContext context = application.start()) {
            DiscoveryClient client = context.getBean(DiscoveryClient.class);
            await().until(() -> client.getInstances("orders").size() == 1);
            MeterRegistry meters = context.getBean(MeterRegistry.class);

            assertThat(meters.get("rollcall.registered")
                            .tag("registry", "one")
                            .gauge()
                            .value())
                    .isOne();
            assertThat(meters.get("rollcall.registered")
                            .tag("registry", "gone")
                            .gauge()
                            .value())
                    .isZero();
            assertThat(meters.get("rollcall.instances")
                            .tag("registry", "one")
                            .gauge()
                            .value())
                    .isOne();
            assertThat(meters.get("rollcall.view.age")
                            .tag("registry", "one")
                            .timeGauge()
                            .value(TimeUnit.MINUTES))
                    .isLessThan(60);
            await().until(() -> meters.get("rollcall.view.age")
                            .tag("registry", "gone")
                            .timeGauge()
                            .value(TimeUnit.MILLISECONDS)
                    > 0);
            assertThat(meters.get("rollcall.records.rejected")
                            .tag("registry", "one")
                            .functionCounter()
                            .count())
                    .isZero();
            assertThat(meters.get("rollcall.join")
                            .tags("registry", "one", "outcome", "success")
                            .timer()
                            .count())
                    .isPositive();
            await().until(() -> meters.find("rollcall.join")
                            .tags("registry", "gone", "outcome", "failure")
                            .timer()
                    != null);
            post(context, Map.of("state", "offline"), 200);
            await().until(() -> meters.find("rollcall.leave")
                            .tags("registry", "one", "outcome", "success")
                            .timer()
                    != null);
            assertThat(meters.get("rollcall.registered")
                            .tag("registry", "one")
                            .gauge()
                            .value())
                    .isZero();
        }
    }

    @Test
    void aConsumerOnlyHasTheEndpointToo() {
        application.with("rollcall.registration.enabled=false", "rollcall.service-name=shop");
        try (ConfigurableApplicationContext context = application.start()) {
            context.getBean(DiscoveryClient.class).getInstances("stock");

            Map<String, Object> all = get(context, "/registrations");

            assertThat(all).containsEntry("service", "shop").containsEntry("state", "offline");
            assertThat(RollcallActuatorTests.<List<Object>>at(all, "registrations"))
                    .isEmpty();
            assertThat(RollcallActuatorTests.<Map<String, Object>>at(all, "services"))
                    .containsKey("stock");
        }
    }

    @Test
    void withoutActuatorThereIsNothing() {
        new ApplicationContextRunner()
                .withClassLoader(
                        new FilteredClassLoader("org.springframework.boot.actuate", "org.springframework.boot.health"))
                .withConfiguration(AutoConfigurations.of(RollcallActuatorAutoConfiguration.class))
                .run(context -> {
                    assertThat(context).hasNotFailed().doesNotHaveBean(RegistrationsEndpoint.class);
                    assertThat(context.getBeanFactory().getBeanNamesForType(HealthIndicator.class))
                            .isEmpty();
                });
    }
}
