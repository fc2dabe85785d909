package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;

/** The same bad entries in every registry: nobody is led to them, each is told of once, and they hide no good one. */
@Tag("resilience")
@ExtendWith(OutputCaptureExtension.class)
class PoisonTests {

    private static final List<Object> BAD_HOSTS = List.of(
            " ",
            "a b",
            "a/b",
            "a/../b",
            "a@b",
            "user:pass@h",
            "a?b",
            "a#b",
            "a\\b",
            "a\nb",
            "a\r\nX-Evil: 1",
            "a\u0000b",
            "http://h/x",
            "a,b",
            "x".repeat(300),
            "ho$t",
            "\u2603",
            "[::1",
            "::::",
            "a..b",
            "-",
            "1.2.3.400",
            "a\u202eb",
            List.of("h", "i"),
            Map.of("@class", "java.net.URL", "host", "h"));

    private static final List<Object> BAD_PORTS =
            List.of(0, -1, 65536, 4294967376L, "http", "", "8080; rm", 1e99, List.of(80), Map.of("$", 80));

    @AutoClose
    private final ForeignWriters foreign = new ForeignWriters();

    private final String service = TestApplication.unique("orders-");

    private ConfigurableApplicationContext start() {
        List<String> properties = new ArrayList<>(List.of("rollcall.discovery.watch-delay=500ms"));
        for (String kind : foreign.writers().keySet()) {
            String registry = "rollcall.registries." + kind;
            properties.add(registry + ".url=" + foreign.server(kind).url());
            properties.add(registry + ".interval=1s");
            properties.add(registry + ".ttl=60s");
            properties.add(registry + ".timeout=20s");
        }
        properties.add("rollcall.registries.consul.health-check.mode=ttl");
        return TestApplication.named(service)
                .with(properties.toArray(String[]::new))
                .start();
    }

    private List<ServiceInstance> found(ConfigurableApplicationContext context) {
        return context.getBean(DiscoveryClient.class).getInstances(service);
    }

    /** How often a line told of each bad entry of a registry, by the entry's id. */
    private Map<String, Long> told(CapturedOutput output, String registry) {
        Matcher lines = Pattern.compile("Skipping \\S*.*?(bad-(?:host|port)-\\d+|:\\S+) in " + registry + ": ")
                .matcher(output.getOut());
        return lines.results().collect(Collectors.groupingBy(line -> line.group(1), Collectors.counting()));
    }

    /** Once something that was written after the bad entries is there, they have been read. */
    private void awaitReadAgain(ConfigurableApplicationContext context, String host) throws Exception {
        for (ForeignWriters.Writer writer : foreign.writers().values()) {
            writer.write(service, "good-" + host.replace('.', '-'), host, 8080);
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(found(context))
                        .filteredOn(instance -> instance.getHost().equals(host))
                        .singleElement()
                        .extracting("registries")
                        .asInstanceOf(InstanceOfAssertFactories.LIST)
                        .hasSize(foreign.writers().size()));
    }

    @Test
    void badEntriesAreToldOfOnceAndHideNothing(CapturedOutput output) throws Exception {
        try (ConfigurableApplicationContext context = start()) {
            awaitReadAgain(context, "10.0.0.1");
            for (Map.Entry<String, ForeignWriters.Writer> writer :
                    foreign.writers().entrySet()) {
                for (int i = 0; i < BAD_HOSTS.size(); i++) {
                    writer.getValue().write(service, "bad-host-" + i, BAD_HOSTS.get(i), 8080);
                }
                for (int i = 0; i < BAD_PORTS.size(); i++) {
                    writer.getValue().write(service, "bad-port-" + i, "10.9.9.9", BAD_PORTS.get(i));
                }
            }
            awaitReadAgain(context, "10.0.0.2");
            awaitReadAgain(context, "10.0.0.3");

            assertThat(found(context))
                    .allSatisfy(instance -> assertThat(instance.getUri())
                            .isEqualTo(URI.create("http://" + instance.getHost() + ":" + instance.getPort()))
                            .hasHost(instance.getHost()))
                    .extracting(ServiceInstance::getHost)
                    .containsExactlyInAnyOrder("127.0.0.1", "10.0.0.1", "10.0.0.2", "10.0.0.3");
            for (String kind : foreign.writers().keySet()) {
                Map<String, Long> told = told(output, kind);
                assertThat(told.values().stream().mapToLong(Long::longValue).sum())
                        .as(kind + " " + told)
                        .isBetween(1L, (long) BAD_HOSTS.size() + BAD_PORTS.size());
            }
            for (String kind : List.of("redis", "zookeeper", "etcd", "consul")) {
                assertThat(told(output, kind))
                        .as(kind)
                        .hasSize(BAD_HOSTS.size() + BAD_PORTS.size())
                        .allSatisfy((id, times) -> assertThat(times).as(id).isOne());
            }
            assertThat(output.getOut().lines())
                    .as("lines that an entry has made up")
                    .noneMatch(line -> line.startsWith("X-Evil") || line.startsWith("b in "));
            assertThat(output).doesNotContain("does not answer look-ups");
        }
    }
}
