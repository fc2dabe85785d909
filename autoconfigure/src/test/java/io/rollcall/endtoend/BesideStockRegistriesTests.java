package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.discovery.LiveServices;
import io.rollcall.registration.RollcallRegistration;
import io.rollcall.registration.RollcallServiceRegistry;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClient;
import org.springframework.cloud.client.serviceregistry.AutoServiceRegistration;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.client.serviceregistry.ServiceRegistry;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.HttpStatusCode;
import org.springframework.web.client.RestClient;

/** The stock starters of ZooKeeper, Consul and Eureka are all on the class path and switched on; none of their servers is there. */
class BesideStockRegistriesTests {

    private final TestApplication application = TestApplication.named("orders")
            .with("rollcall.registries.one.url=" + TestApplication.unique("memory:"))
            .with("spring.cloud.consul.enabled=true", "eureka.client.enabled=true")
            // Nobody listens at these ports.
            .with("spring.cloud.consul.port=1", "eureka.client.service-url.defaultZone=http://127.0.0.1:1/eureka");

    @Configuration(proxyBeanMethods = false)
    static class ThirdParty {

        record Injected(
                DiscoveryClient client,
                ReactiveDiscoveryClient reactiveClient,
                AutoServiceRegistration autoRegistration,
                Registration registration,
                ServiceRegistry<?> serviceRegistry) {}

        @Bean
        Injected injected(
                DiscoveryClient client,
                ReactiveDiscoveryClient reactiveClient,
                AutoServiceRegistration autoRegistration,
                Registration registration,
                ServiceRegistry<?> serviceRegistry) {
            return new Injected(client, reactiveClient, autoRegistration, registration, serviceRegistry);
        }
    }

    @Test
    void theContextStartsAndEverythingIsInjectableByType() {
        try (ConfigurableApplicationContext context =
                application.with(ThirdParty.class).start()) {
            ThirdParty.Injected injected = context.getBean(ThirdParty.Injected.class);

            assertThat(injected.client()).isInstanceOf(CompositeDiscoveryClient.class);
            assertThat(injected.registration()).isInstanceOf(RollcallRegistration.class);
            assertThat(injected.serviceRegistry()).isInstanceOf(RollcallServiceRegistry.class);
            LiveServices services = context.getBean(LiveServices.class);
            await().until(() -> services.getInstances("orders").size() == 1);
            assertThat(injected.client().getInstances("orders")).isSameAs(services.getInstances("orders"));
        }
    }

    @Test
    void everyEndpointAnswers() {
        try (ConfigurableApplicationContext context = application.start()) {
            RestClient client = RestClient.builder()
                    .baseUrl("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port")
                            + "/actuator")
                    .build();
            Map<String, Map<String, Map<String, Object>>> links =
                    client.get().retrieve().body(new ParameterizedTypeReference<>() {});
            List<String> hrefs = links.get("_links").entrySet().stream()
                    .filter(link -> !link.getKey().contains("-")
                            && !List.of("self", "heapdump", "shutdown").contains(link.getKey()))
                    .map(link -> (String) link.getValue().get("href"))
                    // Consul's own endpoint asks the agent, which is not there.
                    .filter(href -> !href.contains("{") && !href.endsWith("/consul"))
                    .toList();

            assertThat(hrefs).hasSizeGreaterThan(10).anyMatch(href -> href.endsWith("/registrations"));
            for (String href : hrefs) {
                HttpStatusCode status =
                        client.get().uri(href).exchange((request, response) -> response.getStatusCode());
                // Health is down, since Consul and Eureka are; refresh and the like are no GET.
                assertThat(status.value()).as(href).isIn(200, 204, 405, 503);
            }
        }
    }
}
