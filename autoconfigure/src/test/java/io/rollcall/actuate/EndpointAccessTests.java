package io.rollcall.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.TestApplication;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RollcallServiceRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/** Who may reach an application can take it out only where Spring Boot's rules for endpoints let them. */
class EndpointAccessTests {

    private static final List<String> ENDPOINTS = List.of("registrations", "serviceregistry");

    private final TestApplication application =
            TestApplication.named("orders").with("rollcall.registries.one.url=" + TestApplication.unique("memory:"));

    private static int get(ConfigurableApplicationContext context, String endpoint) {
        return actuator(context)
                .get()
                .uri("/actuator/" + endpoint)
                .retrieve()
                .toBodilessEntity()
                .getStatusCode()
                .value();
    }

    private static int takeOut(ConfigurableApplicationContext context, String endpoint) {
        return actuator(context)
                .post()
                .uri("/actuator/" + endpoint)
                .contentType(MediaType.APPLICATION_JSON)
                .body(
                        endpoint.equals("registrations")
                                ? Map.of("state", "offline")
                                : Map.of("status", "OUT_OF_SERVICE"))
                .retrieve()
                .toBodilessEntity()
                .getStatusCode()
                .value();
    }

    private static RestClient actuator(ConfigurableApplicationContext context) {
        return RestClient.builder()
                .baseUrl("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"))
                .defaultStatusHandler(status -> true, (request, response) -> {})
                .build();
    }

    private static boolean isOffline(ConfigurableApplicationContext context) {
        return context.getBean(RollcallServiceRegistry.class)
                .isOffline(context.getBean(PortRegistrations.class).primary());
    }

    @Test
    void nothingIsThereUnlessItIsExposed() {
        application.with("management.endpoints.web.exposure.include=health");
        try (ConfigurableApplicationContext context = application.start()) {
            for (String endpoint : ENDPOINTS) {
                assertThat(get(context, endpoint)).as(endpoint).isEqualTo(404);
                assertThat(takeOut(context, endpoint)).as(endpoint).isEqualTo(404);
            }
            assertThat(isOffline(context)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "management.endpoint.registrations.access=read-only",
                "management.endpoints.access.default=read-only",
                "management.endpoints.access.max-permitted=read-only"
            })
    void whatIsReadOnlyCanBeReadOnly(String property) {
        application.with(property, "management.endpoint.serviceregistry.access=read-only");
        try (ConfigurableApplicationContext context = application.start()) {
            for (String endpoint : ENDPOINTS) {
                assertThat(get(context, endpoint)).as(endpoint).isEqualTo(200);
                assertThat(takeOut(context, endpoint)).as(endpoint).isEqualTo(405);
            }
            assertThat(isOffline(context)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"management.endpoint.registrations.access=none", "management.endpoints.access.max-permitted=none"
            })
    void withoutAccessThereIsNoEndpoint(String property) {
        application.with(property);
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(context.getBeansOfType(RegistrationsEndpoint.class)).isEmpty();
            assertThat(get(context, "registrations")).isEqualTo(404);
            assertThat(takeOut(context, "registrations")).isEqualTo(404);
        }
    }

    @Test
    void whoMayWriteTakesItOut() {
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(takeOut(context, "registrations")).isEqualTo(200);
            assertThat(isOffline(context)).isTrue();
        }
    }
}
