package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;

/** A request that is still being served while its application stops calls others as if nothing had happened. */
class WorkInProgressTests {

    private final String registry = "rollcall.registries.one.url=" + TestApplication.unique("memory:");

    @ParameterizedTest
    @ValueSource(strings = {"/work", "/work-in-another-thread"})
    void callsOtherServicesEvenOnesItHasNeverCalledBefore(String path) throws Exception {
        try (Observer observer = new Observer(List.of(registry));
                ConfigurableApplicationContext called = TestApplication.named("called")
                        .with(registry)
                        .with(Greeting.class)
                        .start()) {
            ConfigurableApplicationContext context = TestApplication.named("orders")
                    .with(registry)
                    .with(Calling.class)
                    .with("server.shutdown=graceful")
                    .start();
            await().until(() -> observer.listed("one", "orders").size() == 1
                    && observer.listed("one", "called").size() == 1);
            assertThat(called.isActive()).isTrue();
            int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            Calling calling = context.getBean(Calling.class);

            CompletableFuture<String> answer =
                    CompletableFuture.supplyAsync(() -> RestClient.create("http://127.0.0.1:" + port)
                            .get()
                            .uri(path)
                            .retrieve()
                            .body(String.class));
            assertThat(calling.begun.await(30, TimeUnit.SECONDS)).isTrue();
            CompletableFuture<Void> closed = CompletableFuture.runAsync(context::close);
            await().until(() -> observer.listed("one", "orders").isEmpty());
            await().until(() -> refuses(port));
            calling.goOn.countDown();

            assertThat(answer.get(60, TimeUnit.SECONDS)).isEqualTo("1 instance says hello");
            closed.get(60, TimeUnit.SECONDS);
        }
    }

    private static boolean refuses(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
            return false;
        } catch (IOException ex) {
            return true;
        }
    }

    @RestController
    static class Greeting {

        @GetMapping("/greeting")
        String greeting() {
            return "hello";
        }
    }

    @RestController
    @Configuration(proxyBeanMethods = false)
    static class Calling {

        private final CountDownLatch begun = new CountDownLatch(1);

        private final CountDownLatch goOn = new CountDownLatch(1);

        private final DiscoveryClient discovery;

        private final ObjectProvider<RestClient.Builder> clients;

        Calling(DiscoveryClient discovery, ObjectProvider<RestClient.Builder> clients) {
            this.discovery = discovery;
            this.clients = clients;
        }

        @GetMapping("/work")
        String work() throws InterruptedException {
            RestClient client = clients.getObject().build();
            begun.countDown();
            goOn.await();
            return discovery.getInstances("called").size() + " instance says "
                    + client.get().uri("http://called/greeting").retrieve().body(String.class);
        }

        /** Whose thread the container has back meanwhile. */
        @GetMapping("/work-in-another-thread")
        Callable<String> workInAnotherThread() {
            return this::work;
        }

        @Configuration(proxyBeanMethods = false)
        static class Clients {

            @Bean
            @LoadBalanced
            RestClient.Builder builder() {
                return RestClient.builder();
            }
        }
    }
}
