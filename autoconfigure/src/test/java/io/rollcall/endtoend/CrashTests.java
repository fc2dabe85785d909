package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.CompletionContext;
import org.springframework.cloud.client.loadbalancer.LoadBalancerLifecycle;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.Response;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Providers die without a word, and their registry, with its long ttl, lists them all the time. */
@Tag("resilience")
class CrashTests {

    private static final String SERVICE = TestApplication.unique("orders-");

    private static final Attempts attempts = new Attempts();

    private static List<ProviderProcess> providers;

    private static Consumer consumer;

    @BeforeAll
    static void start() {
        List<String> properties = List.of(
                "rollcall.registries.redis.url=" + AllServers.of("redis").url(),
                "rollcall.registries.redis.interval=2s",
                "rollcall.registries.redis.ttl=10m");
        providers = ProviderProcess.start(SERVICE, properties, 3);
        consumer = new Consumer(SERVICE, properties);
        ((GenericApplicationContext) consumer.context()).registerBean(LoadBalancerLifecycle.class, () -> attempts);
    }

    @AfterAll
    static void stop() {
        consumer.close();
        providers.forEach(ProviderProcess::close);
    }

    @BeforeEach
    void startThoseThatDied() {
        providers.stream().filter(provider -> !provider.isAlive()).forEach(ProviderProcess::start);
        await().atMost(Duration.ofMinutes(3)).until(() -> consumer.foundPorts().size() == 3);
    }

    /** What goes to one port from some time on. */
    private static final class Attempts implements LoadBalancerLifecycle<Object, Object, ServiceInstance> {

        private final AtomicInteger started = new AtomicInteger();

        private final AtomicInteger failed = new AtomicInteger();

        private volatile int port;

        @Override
        public void onStart(Request<Object> request) {
            // Not known yet where it goes.
        }

        @Override
        public void onStartRequest(Request<Object> request, Response<ServiceInstance> response) {
            if (response.getServer().getPort() == port) {
                started.incrementAndGet();
            }
        }

        @Override
        public void onComplete(CompletionContext<Object, ServiceInstance, Object> completion) {
            if (completion.status() == CompletionContext.Status.FAILED
                    && completion.getLoadBalancerResponse().getServer().getPort() == port) {
                failed.incrementAndGet();
            }
        }
    }

    @Test
    void noIdempotentCallFailsAndTheDeadOneIsLeftAloneUntilItIsBack() throws Exception {
        ProviderProcess dying = providers.get(0);
        try (Load load = new Load(consumer)) {
            await().atMost(Duration.ofMinutes(3)).until(() -> load.answersOf(dying.port()) > 10);
            dying.kill();
            attempts.port = dying.port();
            long callsThen = load.calls();
            await().atMost(Duration.ofMinutes(3)).until(() -> load.calls() > callsThen + 600);
            int attemptsAtTheDead = attempts.started.get();
            assertThat(consumer.foundPorts()).contains(dying.port());
            // A third of 600 without setting it aside. There are two pools, some calls at the same time, and those that
            // try whether it is back.
            assertThat(attemptsAtTheDead).isBetween(1, 12);

            int answers = load.answersOf(dying.port());
            dying.start();
            await().atMost(Duration.ofMinutes(3)).until(() -> load.answersOf(dying.port()) > answers + 10);
            List<String> failures = load.stop();
            // A write that had been sent is not repeated: whoever made it has to know.
            assertThat(failures)
                    .allSatisfy(failure ->
                            assertThat(failure).startsWith("POST at ").doesNotContain("refused", "ConnectException"))
                    .hasSizeLessThan(20);
        }
    }

    @Test
    void aWriteThatWasSentIsNeverRepeated() {
        RestClient client = consumer.context()
                .getBean(RestClient.Builder.class)
                .baseUrl("http://" + SERVICE)
                .build();
        assertThatThrownBy(() -> client.post().uri("/crash").retrieve().toBodilessEntity())
                .isInstanceOf(ResourceAccessException.class);
        // It would have ended the others as well.
        for (int i = 0; i < 50; i++) {
            assertThat(consumer.post("order " + i)).isEqualTo(1);
            consumer.get(0);
            consumer.getReactively();
        }
    }
}
