package io.rollcall.registry.etcd;

import static io.rollcall.registry.etcd.EtcdClients.TIMING;
import static io.rollcall.registry.etcd.EtcdClients.definition;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.TestApplication;
import io.rollcall.autoconfigure.FailureAnalyses;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryUrl;
import java.time.Duration;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** What becomes of a configuration. */
class EtcdRegistryFactoryTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(EtcdRegistryAutoConfiguration.class, SslAutoConfiguration.class));

    @Test
    void tellsWhatIsMissingWithoutTheClientLibrary() {
        runner.withClassLoader(new FilteredClassLoader("io.etcd", "io.grpc")).run(context -> {
            RegistryFactory factory = context.getBean(RegistryFactory.class);
            assertThat(factory.schemes()).containsExactlyInAnyOrder("etcd", "etcds");
            assertThat(factory.coordinates()).containsExactly("io.etcd:jetcd-grpc");
            assertThat(factory.requiredClasses())
                    .isNotEmpty()
                    .allSatisfy(name -> assertThatExceptionOfType(ClassNotFoundException.class)
                            .isThrownBy(() -> Class.forName(name, false, context.getClassLoader())));
        });
    }

    @Test
    void theRequiredClassesAreThoseOfTheClientLibrary() {
        runner.run(context -> assertThat(context.getBean(RegistryFactory.class).requiredClasses())
                .allSatisfy(name -> assertThatNoException().isThrownBy(() -> Class.forName(name))));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://a.invalid",
                "etcd://[::1]:2380,b.invalid:1",
                "etcds://user:p%40ss@a.invalid",
                "etcd://127.0.0.1:1,127.0.0.1:2"
            })
    void doesNotConnectUntilItIsCalled(String url) {
        runner.run(context -> {
            Registry registry =
                    context.getBean(RegistryFactory.class).create(definition("unused", url, TIMING, null, null));

            assertThat(registry.type()).isEqualTo("etcd");
            assertThat(registry.url()).doesNotContain("p@ss");
            assertThat(registry.registrar()).isNotNull();
            assertThat(registry.resolver()).isNotNull();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("rollcall-unused"));
            registry.client().close();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "etcd:orders       |      |        |     |         | url        | no host",
                "etcds:            |      |        |     |         | url        | no host",
                "etcd://h/a        |      |        |     |         | url        | neither a path nor",
                "etcd://h?a=secret |      |        |     |         | url        | neither a path nor",
                "etcd://h          | user |        |     |         | password   | both",
                "etcd://h          |      | secret |     |         | username   | both",
                "etcd://h          |      |        | tok |         | token      | minutes",
                "etcds://h         |      |        |     | missing | ssl.bundle | no SSL bundle of that name"
            })
    void whatCanNotBeIsToldAtStart(
            String url, String username, String password, String token, String bundle, String property, String reason) {
        RegistryDefinition definition = new RegistryDefinition(
                "e",
                RegistryUrl.parse(url),
                TIMING,
                true,
                true,
                null,
                null,
                new Credentials(username, password, token),
                bundle);
        assertInvalid(definition, property, reason);
    }

    @Test
    void anIntervalOfZeroCanNotBe() {
        Timing never = new Timing(Duration.ZERO, Duration.ofSeconds(15), Duration.ofSeconds(3));

        assertInvalid(definition("e", "etcd://h", never, null, null), "interval", "checks nothing itself");
    }

    private void assertInvalid(RegistryDefinition definition, String property, String reason) {
        runner.run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> context.getBean(RegistryFactory.class).create(definition))
                .satisfies(ex -> {
                    assertThat(ex.getProperty()).isEqualTo("rollcall.registries.e." + property);
                    assertThat(ex.getReason()).contains(reason);
                    assertThat(ex.getRemedy()).endsWith(".");
                    assertThat(ex.getMessage() + ex.getRemedy()).doesNotContain("secret", "tok ");
                }));
    }

    @Test
    void theAnalysisNamesThePropertyAndTheRemedy() {
        Throwable failure = Assertions.catchThrowable(() -> TestApplication.named("orders")
                .with("rollcall.registries.e.url=etcd://h/path")
                .start());

        assertThat(FailureAnalyses.of(failure).getDescription()).contains("rollcall.registries.e.url");
        assertThat(FailureAnalyses.of(failure).getAction()).contains("rollcall.registries.e.prefix");
    }
}
