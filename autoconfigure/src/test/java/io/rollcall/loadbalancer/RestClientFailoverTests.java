package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.loadbalancer.Provider.Behaviour;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.restclient.autoconfigure.RestClientBuilderConfigurer;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.InputStreamResource;
import org.springframework.web.client.RestClient;

class RestClientFailoverTests extends FailoverContract {

    @Override
    Class<?> application() {
        return Application.class;
    }

    /** The body is a stream that can be read once: load-balanced clients of Spring take it into memory anyway. */
    @Override
    Answer call(ConfigurableApplicationContext context, @Nullable String body) {
        RestClient client =
                context.getBean(RestClient.Builder.class).baseUrl("http://svc").build();
        RestClient.RequestHeadersSpec<?> request = body == null
                ? client.get().uri("/x")
                : client.post()
                        .uri("/x")
                        .body(new InputStreamResource(new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8))));
        return request.exchange((sent, response) -> new Answer(
                response.getStatusCode().value(),
                response.bodyTo(String.class),
                response.getHeaders().getFirst("Retry-After")));
    }

    @Test
    void makesNoRetriesBeyondTheBudget() {
        for (int i = 0; i < 3; i++) {
            provider(Behaviour.REFUSE);
        }
        start("rollcall.load-balancer.retry.budget-floor=4", "rollcall.load-balancer.retry.budget=0.2");
        for (int i = 0; i < 100; i++) {
            assertThat(call(context(), "body")).isEqualTo(new Answer(503, "full", "0"));
        }
        // 100 calls, 20 retries for them, 4 of the floor, and at most one more as the last call takes two
        assertThat(requests()).isBetween(120, 125);
    }

    @Test
    void canBeSwitchedOff() {
        provider(Behaviour.REFUSE);
        provider(Behaviour.REFUSE);
        start("rollcall.load-balancer.retry.enabled=false");
        assertThat(call(context(), null)).isEqualTo(new Answer(503, "full", "0"));
        assertThat(requests()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http-components", "jdk", "simple"})
    void worksWithEachHttpClient(String factory) {
        Provider good = provider(Behaviour.SERVE);
        Provider full = provider(Behaviour.REFUSE);
        start("spring.http.clients.imperative.factory=" + factory);
        for (int i = 0; i < 10; i++) {
            assertThat(call(context(), "body")).isEqualTo(new Answer(200, "POST body", null));
        }
        assertThat(good.requests()).isEqualTo(10);
        assertThat(full.requests()).isEqualTo(5);
    }

    @Configuration(proxyBeanMethods = false)
    @BlockingClients
    static class Application {

        @Bean
        @LoadBalanced
        RestClient.Builder builder(RestClientBuilderConfigurer configurer) {
            return configurer.configure(RestClient.builder());
        }
    }
}
