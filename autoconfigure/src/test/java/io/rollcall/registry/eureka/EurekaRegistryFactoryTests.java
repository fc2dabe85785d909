package io.rollcall.registry.eureka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryUrl;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class EurekaRegistryFactoryTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(EurekaRegistryAutoConfiguration.class));

    private static RegistryDefinition definition(
            String url, String interval, String prefix, Credentials credentials, String bundle) {
        Duration every = interval == null ? Timing.DEFAULT.interval() : Duration.parse(interval);
        Timing timing = new Timing(every, Timing.DEFAULT.ttl(), Timing.DEFAULT.timeout());
        return new RegistryDefinition(
                "eu", RegistryUrl.parse(url), timing, true, true, null, prefix, credentials, bundle);
    }

    @Test
    void tellsWhatIsMissingWithoutAnHttpClient() {
        runner.withClassLoader(new FilteredClassLoader("org.apache.hc")).run(context -> {
            RegistryFactory factory = context.getBean(RegistryFactory.class);
            assertThat(factory.schemes()).containsExactlyInAnyOrder("eureka", "eurekas");
            assertThat(factory.coordinates()).containsExactly("org.apache.httpcomponents.core5:httpcore5");
            assertThat(factory.requiredClasses())
                    .isNotEmpty()
                    .allSatisfy(name -> assertThatExceptionOfType(ClassNotFoundException.class)
                            .isThrownBy(() -> Class.forName(name, false, context.getClassLoader())));
        });
    }

    @Test
    void theRequiredClassesAreThere() {
        runner.run(context -> assertThat(context.getBean(RegistryFactory.class).requiredClasses())
                .allSatisfy(name -> assertThatNoException().isThrownBy(() -> Class.forName(name))));
    }

    @Test
    void doesNotConnectUntilItIsCalled() {
        runner.run(context -> {
            Registry registry = context.getBean(RegistryFactory.class)
                    .create(definition(
                            "eureka://user:secret@127.0.0.1:1,127.0.0.1:2/eureka",
                            null,
                            null,
                            new Credentials("user", "secret", null),
                            null));

            assertThat(registry.type()).isEqualTo("eureka");
            assertThat(registry.toString()).doesNotContain("secret");
            assertThat(registry.registrar()).isNotNull();
            assertThat(registry.resolver()).isNotNull();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneSatisfy(thread -> assertThat(thread.getName()).startsWith("rollcall-eu"));
            registry.client().close();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "eureka://h1,[fd00::1]:1/     | http://h1:8761/eureka  | http://[fd00::1]:1/eureka",
                "eurekas://h1:443,h2/a/b/     | https://h1:443/a/b     | https://h2:8761/a/b"
            })
    void readsTheServersFromTheUrl(String url, String first, String second) {
        assertThat(EurekaSettings.of(definition(url, null, null, new Credentials(null, null, null), null))
                        .servers())
                .containsExactly(first, second);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "eureka:               |      |      |      |        |     |        | url        | no host",
                "eureka:eureka         |      |      |      |        |     |        | url        | no host",
                "eureka://h?a=b        |      |      |      |        |     |        | url        | no parameters",
                "eureka://h/a b        |      |      |      |        |     |        | url        | path",
                "eureka://h/a//b       |      |      |      |        |     |        | url        | path",
                "eureka://h            | PT0S |      |      |        |     |        | interval   | checks nothing",
                "eureka://h            |      | pre  |      |        |     |        | prefix     | no prefix",
                "eureka://h            |      |      | user |        |     |        | password   | both",
                "eureka://h            |      |      |      | secret |     |        | username   | both",
                "eureka://h            |      |      | u:r  | secret |     |        | username   | colon",
                "eureka://h            |      |      |      |        | tok |        | token      | no tokens",
                "eureka://h            |      |      |      |        |     | bundle | url        | does not ask for TLS",
                "eurekas://h           |      |      |      |        |     | bundle | ssl.bundle | no SSL bundles"
            })
    void whatCanNotBeIsToldAtStart(
            String url,
            String interval,
            String prefix,
            String username,
            String password,
            String token,
            String bundle,
            String property,
            String reason) {
        runner.run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> context.getBean(RegistryFactory.class)
                        .create(definition(url, interval, prefix, new Credentials(username, password, token), bundle)))
                .satisfies(ex -> {
                    assertThat(ex.getProperty()).isEqualTo("rollcall.registries.eu." + property);
                    assertThat(ex.getReason()).contains(reason);
                    assertThat(ex.getRemedy()).isNotBlank();
                    assertThat(ex.getMessage() + ex.getRemedy()).doesNotContain("secret", "tok ");
                }));
    }
}
