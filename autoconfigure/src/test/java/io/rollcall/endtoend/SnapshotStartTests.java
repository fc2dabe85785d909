package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.TestApplication;
import io.rollcall.discovery.LiveServices;
import io.rollcall.discovery.RegistryView.State;
import io.rollcall.servers.RegistryServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;

/** A consumer starts with all its registries, real processes, switched off. */
@Tag("resilience")
@ExtendWith(OutputCaptureExtension.class)
class SnapshotStartTests {

    private static final List<String> KINDS = List.of("redis", "zookeeper");

    private final String service = TestApplication.unique("orders-");

    @TempDir
    private Path directory;

    private ConfigurableApplicationContext provider;

    private int port;

    @BeforeEach
    void anEarlierRun() {
        provider = startProvider();
        port = port(provider);
        try (Consumer consumer = consumer()) {
            await().atMost(Duration.ofSeconds(60)).until(() -> consumer.findsOneIn(KINDS.stream()));
        }
    }

    @AfterEach
    void stop() {
        provider.close();
        AllServers.forAll(KINDS, server -> {
            server.kill();
            server.start();
        });
    }

    private ConfigurableApplicationContext startProvider() {
        return TestApplication.named(service)
                .with(ProviderController.class)
                .with(AllServers.properties(KINDS).toArray(String[]::new))
                .start();
    }

    private Consumer consumer() {
        List<String> properties = new ArrayList<>(AllServers.properties(KINDS));
        properties.add("rollcall.discovery.snapshot.directory=" + directory);
        return new Consumer(service, properties);
    }

    private static int port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static Stream<State> states(Consumer consumer) {
        return consumer.context().getBean(LiveServices.class).snapshot().stream()
                .flatMap(snapshot -> snapshot.views().stream())
                .map(view -> view.state());
    }

    @Test
    void itCallsTheProviderThatItKnewAndLearnsWhoIsThereWhenTheRegistriesAreBack(CapturedOutput output) {
        AllServers.forAll(KINDS, RegistryServer::kill);
        try (Consumer consumer = consumer()) {
            assertThat(consumer.get(0)).isEqualTo(port);
            assertThat(states(consumer)).isNotEmpty().containsOnly(State.SNAPSHOT);
            assertThat(output.getAll().lines().filter(line -> line.contains("No registry answers: using lists")))
                    .hasSize(1);

            provider.close();
            provider = startProvider();
            AllServers.forAll(KINDS, server -> {
                server.wipe();
                server.start();
            });

            await().atMost(Duration.ofSeconds(60))
                    .until(() -> consumer.foundPorts().equals(List.of(port(provider)))
                            && consumer.findsOneIn(KINDS.stream()));
            assertThat(consumer.get(0)).isEqualTo(port(provider));
            assertThat(states(consumer)).isNotEmpty().containsOnly(State.LIVE);
        }
    }

    @Test
    void aDamagedSnapshotIsIgnoredWithAWarningAndReplacedOnceARegistryAnswers(CapturedOutput output)
            throws IOException {
        Path file = snapshot();
        byte[] data = Files.readAllBytes(file);
        data[data.length / 2] ^= 1;
        Files.write(file, data);
        AllServers.forAll(KINDS, RegistryServer::kill);

        try (Consumer consumer = consumer()) {
            assertThat(consumer.found()).isEmpty();
            assertThat(output.getAll().lines().filter(line -> line.contains("Ignoring the snapshot " + file)))
                    .hasSize(1);

            AllServers.forAll(KINDS, RegistryServer::start);
            await().atMost(Duration.ofSeconds(60)).until(() -> consumer.findsOneIn(KINDS.stream()));
        }
        AllServers.forAll(KINDS, RegistryServer::kill);
        try (Consumer consumer = consumer()) {
            assertThat(consumer.get(0)).isEqualTo(port);
        }
    }

    private Path snapshot() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList().get(0);
        }
    }

    @Test
    void aDirectoryThatCanNotBeMadeIsOneWarningAndOneThatIsAFileFailsTheStart(CapturedOutput output)
            throws IOException {
        directory = directory.resolve("x".repeat(300));
        try (Consumer consumer = consumer()) {
            assertThat(consumer.get(0)).isEqualTo(port);
        }
        assertThat(output.getAll().lines().filter(line -> line.contains("Can not write the snapshot " + directory)))
                .hasSize(1);

        directory = Files.createTempFile("plain", ".txt");
        assertThatExceptionOfType(RuntimeException.class)
                .isThrownBy(this::consumer)
                .withRootCauseInstanceOf(InvalidConfigurationException.class);
        assertThat(output)
                .contains("APPLICATION FAILED TO START")
                .contains("rollcall.discovery.snapshot.directory")
                .contains("it is not a directory");
        Files.delete(directory);
    }
}
