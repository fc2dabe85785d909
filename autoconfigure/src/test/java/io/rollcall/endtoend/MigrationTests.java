package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.servers.RegistryServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;

/** The recipe that moves all applications from one registry to another, deployment by deployment, with calls all the time. */
@Tag("resilience")
class MigrationTests {

    private final String service = TestApplication.unique("orders-");

    private final RegistryServer oldServer = AllServers.of("redis");

    private final RegistryServer newServer = AllServers.of("zookeeper");

    private final List<ConfigurableApplicationContext> providers = new ArrayList<>();

    @AfterEach
    void stop() {
        providers.forEach(ConfigurableApplicationContext::close);
    }

    private List<String> onlyOld() {
        return registry("old", oldServer);
    }

    private List<String> both() {
        List<String> properties = new ArrayList<>(onlyOld());
        properties.addAll(onlyNew());
        return properties;
    }

    private List<String> bothButFindingInNew() {
        List<String> properties = new ArrayList<>(both());
        properties.add("rollcall.registries.old.resolve=false");
        return properties;
    }

    private List<String> onlyNew() {
        return registry("new", newServer);
    }

    private static List<String> registry(String name, RegistryServer server) {
        return List.of(
                "rollcall.registries." + name + ".url=" + server.url(), "rollcall.registries." + name + ".interval=1s");
    }

    /** One by one, a new one first. */
    private void deploy(Consumer witness, List<String> properties) {
        for (int i = 0; i < 2; i++) {
            ConfigurableApplicationContext provider = TestApplication.named(service)
                    .with(ProviderController.class)
                    .with(properties.toArray(String[]::new))
                    .with("rollcall.registration.drain-wait=2s")
                    .start();
            int port = provider.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> witness.foundPorts().contains(port));
            if (providers.size() == 2) {
                providers.remove(0).close();
            }
            providers.add(provider);
        }
    }

    /** Replaces a consumer: the next one takes the calls before the last one ends. */
    private Consumer replace(Consumer before, Load load, List<String> properties) throws InterruptedException {
        assertThat(load.stop()).isEmpty();
        before.close();
        Consumer consumer = new Consumer(service, properties);
        await().atMost(Duration.ofMinutes(3)).until(() -> consumer.foundPorts().size() == 2);
        return consumer;
    }

    @Test
    void noCallFailsOnTheWayFromOneRegistryToAnother() throws Exception {
        Consumer consumer = new Consumer(service, onlyOld());
        deploy(consumer, onlyOld());
        Load load = new Load(consumer);
        try {
            deploy(consumer, both());
            consumer = replace(consumer, load, both());
            load = new Load(consumer);
            assertThat(consumer.found())
                    .allSatisfy(found -> assertThat(found.toString()).containsAnyOf("in [old, new]", "in [new, old]"));

            deploy(consumer, bothButFindingInNew());
            consumer = replace(consumer, load, bothButFindingInNew());
            load = new Load(consumer);
            deploy(consumer, onlyNew());
            consumer = replace(consumer, load, onlyNew());
            load = new Load(consumer);
            oldServer.kill();
            try {
                deploy(consumer, onlyNew());
            } finally {
                oldServer.start();
            }

            assertThat(load.stop()).isEmpty();
            assertThat(consumer.foundPorts()).hasSize(2);
        } finally {
            load.close();
            consumer.close();
        }
    }
}
