package io.rollcall.registry.nacos;

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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

class NacosRegistryFactoryTests {

    private final ApplicationContextRunner runner = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(NacosRegistryAutoConfiguration.class));

    private static RegistryDefinition definition(String url, String prefix, Credentials credentials, String bundle) {
        return new RegistryDefinition(
                "nacos", RegistryUrl.parse(url), Timing.DEFAULT, true, true, null, prefix, credentials, bundle);
    }

    @Test
    void tellsWhatIsMissingWithoutTheClientLibrary() {
        runner.withClassLoader(new FilteredClassLoader("com.alibaba.nacos")).run(context -> {
            RegistryFactory factory = context.getBean(RegistryFactory.class);
            assertThat(factory.schemes()).containsExactly("nacos");
            assertThat(factory.coordinates()).containsExactly("com.alibaba.nacos:nacos-client");
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
                    .create(definition(
                            "nacos://user:secret@127.0.0.1:1,127.0.0.1?namespace=a",
                            null,
                            new Credentials("user", "secret", null),
                            null));

            assertThat(registry.type()).isEqualTo("nacos");
            assertThat(registry.url()).doesNotContain("secret");
            assertThat(registry.registrar()).isNotNull();
            assertThat(registry.resolver()).isNotNull();
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneSatisfy(thread -> assertThat(thread.getName()).startsWith("rollcall-nacos"));
            registry.client().close();
            registry.client().close();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nacos:                   |      |      |        |     |        | url        | no host",
                "nacos://h/nacos          |      |      |        |     |        | url        | path",
                "nacos://h?a=b            |      |      |        |     |        | url        | parameter",
                "nacos://h?group=a%20b    |      |      |        |     |        | url        | 'group'",
                "nacos://h?cluster=a_b    |      |      |        |     |        | url        | cluster",
                "nacos://h                | a@@b |      |        |     |        | prefix     | '@@'",
                "nacos://h                |      | user |        |     |        | password   | both",
                "nacos://h                |      |      | secret |     |        | username   | both",
                "nacos://h                |      |      |        | tok |        | token      | hours",
                "nacos://h                |      |      |        |     | bundle | ssl.bundle | files"
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
                    assertThat(ex.getProperty()).isEqualTo("rollcall.registries.nacos." + property);
                    assertThat(ex.getReason()).contains(reason);
                    assertThat(ex.getRemedy()).isNotBlank();
                    assertThat(ex.getMessage() + ex.getRemedy()).doesNotContain("secret", "tok ");
                }));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "@a", "a@@b", "服务", "a\tb"})
    void namesThatNacosCanNotHoldAreToldAtStart(String name) {
        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> new ServiceNaming("").inNacos(name));
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 0.01, 1", "7, 0.07, 7", "100, 1, 100", "250, 2.5, 250", "10000, 100, 10000"})
    void weightsGoThereAndBack(int here, double there, int back) {
        assertThat(NacosWeight.USUAL.toNacos(here)).isEqualTo(there);
        assertThat(NacosWeight.USUAL.fromNacos(there)).isEqualTo(back);
    }

    @ParameterizedTest
    @CsvSource({"0.00001, 1", "0.015, 2", "100.5, 10000", "10000, 10000", "-1, 0", "NaN, 100"})
    void foreignWeightsAreClampedAndOnlyZeroMeansNoTraffic(double there, int here) {
        assertThat(NacosWeight.USUAL.fromNacos(there)).isEqualTo(here);
    }

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "1, 1, 1", "100, 100, 100", "250, 100, 100"})
    void swoolesWeightsAreWholeNumbersUpToOneHundred(int here, double there, int back) {
        assertThat(NacosWeight.SWOOLE.toNacos(here)).isEqualTo(there);
        assertThat(NacosWeight.SWOOLE.fromNacos(there)).isEqualTo(back);
    }
}
