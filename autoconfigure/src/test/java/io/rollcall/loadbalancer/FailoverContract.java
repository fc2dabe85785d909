package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.rollcall.loadbalancer.Provider.Behaviour;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;

/** What a caller of any kind has to do when instances refuse or cannot be reached. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class FailoverContract {

    private static final int CALLS = 50;

    private final List<ServiceInstance> live = new CopyOnWriteArrayList<>();

    private final List<Provider> providers = new ArrayList<>();

    private @Nullable ConfigurableApplicationContext commonContext;

    private @Nullable ConfigurableApplicationContext ownContext;

    /** What the application has. */
    abstract Class<?> application();

    /** Calls the service, by a GET without or a POST with a body. */
    abstract Answer call(ConfigurableApplicationContext context, @Nullable String body) throws Exception;

    WebApplicationType webApplicationType() {
        return WebApplicationType.NONE;
    }

    String[] properties() {
        return new String[0];
    }

    @AfterEach
    void stop() {
        ObjectProvider<InFlight> inFlight = context().getBeanProvider(InFlight.class);
        inFlight.ifAvailable(counts -> await().until(counts::toString, "{}"::equals));
        if (ownContext != null) {
            ownContext.close();
            ownContext = null;
        }
        providers.forEach(Provider::close);
        providers.clear();
        live.clear();
    }

    @AfterAll
    void close() {
        if (commonContext != null) {
            commonContext.close();
        }
    }

    @Test
    void everyCallIsServedWhileOneOfTwoRefuses() throws Exception {
        Provider good = provider(Behaviour.SERVE);
        Provider full = provider(Behaviour.REFUSE);
        start();
        for (int i = 0; i < CALLS; i++) {
            assertThat(call(null)).isEqualTo(new Answer(200, "GET ", null));
            assertThat(call("body " + i)).isEqualTo(new Answer(200, "POST body " + i, null));
        }
        assertThat(good.requests()).isEqualTo(2 * CALLS);
        assertThat(full.requests()).isEqualTo(CALLS);
    }

    @Test
    void everyCallIsServedWhileOneOfTwoIsDown() throws Exception {
        Provider good = provider(Behaviour.SERVE);
        provider(Behaviour.SERVE).close();
        start();
        for (int i = 0; i < CALLS; i++) {
            assertThat(call(null)).isEqualTo(new Answer(200, "GET ", null));
            assertThat(call("body " + i)).isEqualTo(new Answer(200, "POST body " + i, null));
        }
        assertThat(good.requests()).isEqualTo(2 * CALLS);
    }

    @Test
    void theRefusalReachesTheCallerIfAllRefuse() throws Exception {
        Provider one = provider(Behaviour.REFUSE);
        Provider other = provider(Behaviour.REFUSE);
        start();
        assertThat(call(null)).isEqualTo(new Answer(503, "full", "0"));
        assertThat(call("body")).isEqualTo(new Answer(503, "full", "0"));
        assertThat(one.requests()).isEqualTo(2);
        assertThat(other.requests()).isEqualTo(2);
    }

    @Test
    void theRefusalReachesTheCallerIfTheOtherInstancesLeaveMeanwhile() throws Exception {
        provider(Behaviour.REFUSE);
        provider(Behaviour.REFUSE);
        start();
        providers.forEach(provider -> provider.onRequest(live::clear));
        Answer answer = call(null);
        assertThat(requests()).isEqualTo(1);
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.retryAfter()).isEqualTo("0");
    }

    @Test
    void theFailureReachesTheCallerIfAllAreDown() {
        provider(Behaviour.SERVE).close();
        provider(Behaviour.SERVE).close();
        start();
        assertFails(null);
        assertFails("body");
    }

    @Test
    void triesNoMoreInstancesThanItMay() throws Exception {
        for (int i = 0; i < 5; i++) {
            provider(Behaviour.REFUSE);
        }
        start();
        assertThat(call("body").status()).isEqualTo(503);
        assertThat(requests()).isEqualTo(3);
        assertThat(providers)
                .allSatisfy(provider -> assertThat(provider.requests()).isLessThanOrEqualTo(1));
    }

    @Test
    void triesTheOnlyInstanceOnce() throws Exception {
        provider(Behaviour.REFUSE);
        start();
        assertThat(call(null)).isEqualTo(new Answer(503, "full", "0"));
        assertThat(requests()).isEqualTo(1);
    }

    @Test
    void leavesA503WithoutTheMarkAlone() throws Exception {
        Provider one = provider(Behaviour.FAIL);
        Provider other = provider(Behaviour.FAIL);
        start();
        assertThat(call(null)).isEqualTo(new Answer(503, "broken", null));
        // Apache's client repeats it by itself, on the same server.
        assertThat(List.of(one.requests(), other.requests())).contains(0);
    }

    @Test
    void repeatsAfterABrokenConnectionWhatIsIdempotent() throws Exception {
        Provider good = provider(Behaviour.SERVE);
        Provider broken = provider(Behaviour.BREAK);
        start();
        for (int i = 0; i < 4; i++) {
            assertThat(call(null)).isEqualTo(new Answer(200, "GET ", null));
        }
        assertThat(good.requests()).isEqualTo(4);
        int before = broken.requests();
        good.behave(Behaviour.BREAK);
        assertFails("body");
        // One of them alone has seen it, maybe more than once: some HTTP clients repeat what fails on a kept-alive
        // connection.
        assertThat(good.requests() == 4 || broken.requests() == before).isTrue();
    }

    @Test
    void oneThatIsDownIsSetAsideUntilACallFindsItBack() throws Exception {
        Provider good = provider(Behaviour.SERVE);
        Provider dead = provider(Behaviour.SERVE);
        dead.close();
        start();
        for (int i = 0; i < 4; i++) {
            assertThat(call(null)).isEqualTo(new Answer(200, "GET ", null));
        }
        OutlierDetection outliers = context().getBean(OutlierDetection.class);
        assertThat(outliers.count()).isEqualTo(1);
        try (Provider back = new Provider(Behaviour.SERVE, dead.instance().getPort())) {
            await().pollInterval(Duration.ofMillis(20)).until(() -> {
                assertThat(call(null)).isEqualTo(new Answer(200, "GET ", null));
                return outliers.count() == 0;
            });
            int before = good.requests();
            assertThat(call("one")).isEqualTo(new Answer(200, "POST one", null));
            assertThat(call("two")).isEqualTo(new Answer(200, "POST two", null));
            assertThat(good.requests()).isEqualTo(before + 1);
            assertThat(back.requests()).isGreaterThan(1);
        }
    }

    @Test
    void oneThatFailsSeveralTimesInARowIsSetAside() throws Exception {
        provider(Behaviour.SERVE);
        Provider failing = provider(Behaviour.FAIL);
        start();
        OutlierDetection outliers = context().getBean(OutlierDetection.class);
        int failures = 0;
        for (int i = 0; i < 40 && outliers.count() == 0; i++) {
            failures += call(null).status() == 200 ? 0 : 1;
        }
        assertThat(failures).isEqualTo(5);
        assertThat(outliers.count()).isEqualTo(1);
        assertThat(call("body").status()).isEqualTo(200);
        // Apache's client repeats each by itself.
        assertThat(failing.requests()).isBetween(5, 10);
    }

    @Test
    void eachAttemptHasTheHintOfTheService() throws Exception {
        provider(Behaviour.SERVE);
        provider(Behaviour.REFUSE);
        start();
        Hints hints = context().getBean(Hints.class);
        hints.seen.clear();
        call(null);
        call(null);
        assertThat(hints.seen).hasSize(3).containsOnly("blue");
    }

    Provider provider(Behaviour behaviour) {
        Provider provider = new Provider(behaviour);
        providers.add(provider);
        live.add(provider.instance());
        return provider;
    }

    /** Lists a server that is no provider of the test's. */
    void live(int port) {
        live.add(new DefaultServiceInstance("svc-127.0.0.1-" + port, "svc", "127.0.0.1", port, false));
    }

    int requests() {
        return providers.stream().mapToInt(Provider::requests).sum();
    }

    Answer call(@Nullable String body) throws Exception {
        return call(context(), body);
    }

    void assertFails(@Nullable String body) {
        assertThatThrownBy(() -> {
                    if (call(body).status() >= 500) {
                        throw new IllegalStateException("a failure told by a status");
                    }
                })
                .isInstanceOf(Exception.class);
    }

    ConfigurableApplicationContext context() {
        ConfigurableApplicationContext context = ownContext != null ? ownContext : commonContext;
        if (context == null) {
            throw new IllegalStateException("not started");
        }
        return context;
    }

    /** Starts the application that the tests of a class share. */
    void start() {
        if (commonContext == null) {
            commonContext = run();
        }
    }

    /** Starts an application for one test. */
    void start(String... properties) {
        ownContext = run(properties);
    }

    private ConfigurableApplicationContext run(String... properties) {
        SpringApplication application = new SpringApplicationBuilder(application())
                .web(webApplicationType())
                .properties("server.port=0", "logging.level.root=warn", "spring.cloud.loadbalancer.hint.svc=blue")
                .properties(properties())
                .properties(properties)
                .initializers(context -> {
                    GenericApplicationContext beans = (GenericApplicationContext) context;
                    beans.registerBean(ReactiveDiscoveryClient.class, () -> new ListClient(live));
                    beans.registerBean(Hints.class, Hints::new);
                })
                .build();
        return application.run();
    }

    record Answer(
            int status, @Nullable String body, @Nullable String retryAfter) {}
}
