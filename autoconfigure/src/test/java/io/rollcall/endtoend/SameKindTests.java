package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.context.ConfigurableApplicationContext;

/** Two registries of one kind at once, in one server: what tells them apart is their name, not their address. */
class SameKindTests {

    private final String service = TestApplication.unique("orders-");

    private static Stream<Arguments> pairs() {
        String redis = AllServers.of("redis").url();
        String zookeeper = AllServers.of("zookeeper").url();
        return Stream.of(
                Arguments.of("databases of Redis", List.of("a.url=" + redis + "/1", "b.url=" + redis + "/2")),
                Arguments.of(
                        "paths of ZooKeeper", List.of("a.url=" + zookeeper + "/east", "b.url=" + zookeeper + "/west")));
    }

    private static List<String> properties(List<String> registries, String... more) {
        List<String> properties = new ArrayList<>(List.of(
                "rollcall.discovery.order=a,b",
                "rollcall.registries.a.interval=1s",
                "rollcall.registries.b.interval=1s"));
        registries.forEach(property -> properties.add("rollcall.registries." + property));
        properties.addAll(List.of(more));
        return properties;
    }

    private ConfigurableApplicationContext provider(List<String> properties) {
        return TestApplication.named(service)
                .with(properties.toArray(String[]::new))
                .start();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("pairs")
    void areJoinedAndReadApart(String pair, List<String> registries) {
        try (ConfigurableApplicationContext inBoth = provider(properties(registries));
                ConfigurableApplicationContext inB =
                        provider(properties(registries, "rollcall.registries.a.register=false"));
                Consumer ofBoth = new Consumer(service, properties(registries));
                Consumer ofBothInReverse =
                        new Consumer(service, properties(registries, "rollcall.discovery.order=b,a"));
                Consumer ofA = new Consumer(service, properties(registries, "rollcall.registries.b.resolve=false"))) {
            awaitFound(ofBoth, port(inBoth) + " in [a, b]", port(inB) + " in [b]");
            awaitFound(ofBothInReverse, port(inBoth) + " in [b, a]", port(inB) + " in [b]");
            awaitFound(ofA, port(inBoth) + " in [a]");
        }
    }

    private static void awaitFound(Consumer consumer, String... ends) {
        await().atMost(Duration.ofMinutes(3))
                .untilAsserted(() -> assertThat(consumer.found())
                        .extracting(found -> found.toString().replaceFirst(".*:", ""))
                        .containsExactlyInAnyOrder(ends));
    }

    private static int port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }
}
