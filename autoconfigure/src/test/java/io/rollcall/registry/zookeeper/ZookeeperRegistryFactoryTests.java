package io.rollcall.registry.zookeeper;

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
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

class ZookeeperRegistryFactoryTests {

    private static final Credentials NONE = new Credentials(null, null, null);

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ZookeeperRegistryAutoConfiguration.class));

    private static RegistryDefinition definition(String url, String prefix, Credentials credentials, String bundle) {
        return new RegistryDefinition(
                "zk", RegistryUrl.parse(url), Timing.DEFAULT, true, true, null, prefix, credentials, bundle);
    }

    @Test
    void tellsWhatIsMissingWithoutTheClientLibrary() {
        runner.withClassLoader(new FilteredClassLoader("org.apache.curator", "org.apache.zookeeper"))
                .run(context -> {
                    RegistryFactory factory = context.getBean(RegistryFactory.class);
                    assertThat(factory.schemes()).containsExactly("zookeeper");
                    assertThat(factory.coordinates()).containsExactly("org.apache.curator:curator-framework");
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

    @Test
    void doesNotConnectUntilItIsCalled() {
        runner.run(context -> {
            Registry registry = context.getBean(RegistryFactory.class)
                    .create(Registries.definition(
                            "unused", "zookeeper://user:secret@127.0.0.1:1,127.0.0.1:2/root", Timing.DEFAULT, NONE));

            assertThat(registry.type()).isEqualTo("zookeeper");
            assertThat(registry.url()).doesNotContain("secret");
            assertThat(registry.registrar()).isNotNull();
            assertThat(registry.resolver()).isNotNull();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneSatisfy(thread -> assertThat(thread.getName()).startsWith("rollcall-unused"));
            registry.client().close();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "zookeeper://h?a=b     |           |      |        |     |        | url        | no parameters",
                "zookeeper:team        |           |      |        |     |        | url        | no host",
                "zookeeper://h/a//b    |           |      |        |     |        | url        | empty",
                "zookeeper://h/a/../b  |           |      |        |     |        | url        | '..'",
                "zookeeper://h         | /a/./b    |      |        |     |        | prefix     | '.'",
                "zookeeper://h         |           | user |        |     |        | password   | both",
                "zookeeper://h         |           |      | secret |     |        | username   | both",
                "zookeeper://h         |           | u:r  | secret |     |        | username   | colon",
                "zookeeper://h         |           |      |        | tok |        | token      | no tokens",
                "zookeeper:            |           | user | secret |     |        | username   | own credentials",
                "zookeeper://h         |           |      |        |     | bundle | ssl.bundle | files"
            })
    void whatCanNotBeIsToldAtStart(
            String url,
            String prefix,
            String username,
            String password,
            String token,
            String bundle,
            String property,
            String reason) {
        runner.run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> context.getBean(RegistryFactory.class)
                        .create(definition(url, prefix, new Credentials(username, password, token), bundle)))
                .satisfies(ex -> {
                    assertThat(ex.getProperty()).isEqualTo("rollcall.registries.zk." + property);
                    assertThat(ex.getReason()).contains(reason);
                    assertThat(ex.getRemedy()).isNotBlank();
                    assertThat(ex.getMessage() + ex.getRemedy()).doesNotContain("secret", "tok ");
                }));
    }

    @Test
    void theApplicationsOwnConnectionMustBeThere() {
        runner.run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(
                        () -> context.getBean(RegistryFactory.class).create(definition("zookeeper:", null, NONE, null)))
                .satisfies(ex -> {
                    assertThat(ex.getProperty()).isEqualTo("rollcall.registries.zk.url");
                    assertThat(ex.getReason()).contains("no CuratorFramework bean");
                    assertThat(ex.getRemedy()).contains("spring.cloud.zookeeper.connect-string");
                }));
    }

    @Test
    void ofSeveralConnectionsOneMustBePrimary() {
        runner.withUserConfiguration(TwoConnections.class)
                .run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                        .isThrownBy(() -> context.getBean(RegistryFactory.class)
                                .create(definition("zookeeper:", null, NONE, null)))
                        .satisfies(ex -> assertThat(ex.getReason()).contains("several")));
    }

    @Configuration(proxyBeanMethods = false)
    static class TwoConnections {

        @Bean
        CuratorFramework one() {
            return CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1));
        }

        @Bean
        CuratorFramework two() {
            return CuratorFrameworkFactory.newClient("127.0.0.1:1", new RetryOneTime(1));
        }
    }
}
