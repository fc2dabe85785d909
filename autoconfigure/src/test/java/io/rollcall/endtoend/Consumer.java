package io.rollcall.endtoend;

import io.rollcall.TestApplication;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.boot.WebApplicationType;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.client.RestClient;
import org.springframework.web.reactive.function.client.WebClient;

/** An application that registers nowhere, finds a service and calls it through Spring's load-balanced clients. */
final class Consumer implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    private final String service;

    private final RestClient restClient;

    private final WebClient webClient;

    /**
     * Starts it.
     *
     * @param service what it calls
     * @param properties its further properties, each as {@code key=value}
     */
    Consumer(String service, List<String> properties) {
        this.service = service;
        this.context = TestApplication.named("consumer")
                .type(WebApplicationType.NONE)
                .with("rollcall.registration.enabled=false")
                .with(properties.toArray(String[]::new))
                .with(Clients.class)
                .start();
        this.restClient = context.getBean(RestClient.Builder.class)
                .baseUrl("http://" + service)
                .build();
        this.webClient = context.getBean(WebClient.Builder.class)
                .baseUrl("http://" + service)
                .build();
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    List<ServiceInstance> found() {
        return context.getBean(DiscoveryClient.class).getInstances(service);
    }

    List<Integer> foundPorts() {
        return found().stream().map(ServiceInstance::getPort).sorted().toList();
    }

    /** Whether exactly one instance is found, and in all of these registries. */
    boolean findsOneIn(Stream<String> registries) {
        List<ServiceInstance> found = found();
        return found.size() == 1 && found.get(0).toString().endsWith("in " + registries.toList());
    }

    /** The port that answered. */
    int get(long millis) {
        return Integer.parseInt(
                restClient.get().uri("/port?millis=" + millis).retrieve().requiredBody(String.class));
    }

    int getReactively() {
        return Integer.parseInt(
                webClient.get().uri("/port").retrieve().bodyToMono(String.class).block());
    }

    /** How often the provider that answered has got that order. */
    int post(String id) {
        return Integer.parseInt(
                restClient.post().uri("/orders").body(id).retrieve().requiredBody(String.class));
    }

    @Override
    public void close() {
        context.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class Clients {

        @Bean
        @LoadBalanced
        RestClient.Builder restClientBuilder() {
            return RestClient.builder();
        }

        @Bean
        @LoadBalanced
        WebClient.Builder webClientBuilder() {
            return WebClient.builder();
        }
    }
}
