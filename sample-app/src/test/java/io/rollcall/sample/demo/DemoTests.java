package io.rollcall.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registration.RegistrationState;
import io.rollcall.sample.Greeting;
import io.rollcall.sample.Http;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class DemoTests {

    private static final Set<String> ALL = Set.of("greeter-1", "greeter-2", "greeter-3");

    private static final Duration LIMIT = Duration.ofSeconds(60);

    private static final Demo demo = new Demo("--server.port=0", "--sample.call-interval=50ms");

    private static Http http;

    @BeforeAll
    static void start() throws IOException {
        demo.start();
        http = new Http(demo.url());
        await().atMost(LIMIT).until(() -> everyProviderIs(RegistrationState.REGISTERED));
        awaitAnswersFromAll();
    }

    @AfterAll
    static void stop() {
        demo.close();
    }

    @Test
    void everyCallSaysWhoAnswered() {
        Greeting greeting = http.greeting();

        assertThat(ALL).contains(greeting.instance());
        assertThat(greeting.address())
                .isEqualTo(demo.provider(greeting.instance()).address());
    }

    @Test
    void noCallFailsWhenProviderStopsAndStartsAgain() {
        long before = latest();

        http.post("/demo/providers/greeter-2/stop");

        long stopped = latest();
        await().atMost(LIMIT).until(() -> http.callsAfter(stopped).size() >= 20);
        assertThat(answering(stopped)).containsExactlyInAnyOrder("greeter-1", "greeter-3");

        http.post("/demo/providers/greeter-2/start");

        awaitAnswersFromAll();
        assertNoFailureSince(before);
    }

    @Test
    void noCallFailsWhileRegistryIsStopped() {
        for (String registry : List.of("redis", "zk")) {
            long before = latest();

            http.post("/demo/registries/" + registry + "/stop");

            await().atMost(LIMIT)
                    .until(() -> demo.providers().stream().noneMatch(each -> isRegistered(each, registry)));
            awaitAnswersFromAll();

            http.post("/demo/registries/" + registry + "/start");

            await().atMost(LIMIT).until(() -> everyProviderIs(RegistrationState.REGISTERED));
            awaitAnswersFromAll();
            assertNoFailureSince(before);
        }
    }

    @Test
    void showsPageAndItsData() {
        assertThat(http.text("/")).contains("<script src=\"app.js\"");
        assertThat(http.text("/app.js")).contains("actuator/registrations");
        assertThat(http.json("/demo")).containsOnlyKeys("registries", "providers");
        assertThat(http.json("/actuator/registrations")).containsKeys("registrations", "services");
    }

    private static boolean everyProviderIs(RegistrationState state) {
        return demo.providers().stream()
                .allMatch(provider -> demo.registries().stream()
                        .map(registry -> provider.registrations().get(registry.name()))
                        .allMatch(status -> status != null && status.state() == state));
    }

    private static boolean isRegistered(Provider provider, String registry) {
        return provider.registrations().get(registry).state() == RegistrationState.REGISTERED;
    }

    private static long latest() {
        List<Map<String, Object>> calls = http.callsAfter(0);
        return calls.isEmpty() ? 0 : number(calls.get(calls.size() - 1));
    }

    private static void awaitAnswersFromAll() {
        long now = latest();
        await().atMost(LIMIT).untilAsserted(() -> assertThat(answering(now)).containsAll(ALL));
    }

    private static Set<String> answering(long after) {
        return http.callsAfter(after).stream()
                .map(call -> String.valueOf(call.get("instance")))
                .collect(Collectors.toSet());
    }

    private static void assertNoFailureSince(long number) {
        List<Map<String, Object>> calls = http.callsAfter(number);
        assertThat(number(calls.get(0))).as("the log still has the first call").isEqualTo(number + 1);
        assertThat(calls).extracting(call -> call.get("error")).containsOnlyNulls();
    }

    private static long number(Map<String, Object> call) {
        return ((Number) call.get("number")).longValue();
    }
}
