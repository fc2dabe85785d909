package io.rollcall.registry.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryFactoryContract;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.context.FilteredClassLoader;

class NacosRegistryFactoryTests extends RegistryFactoryContract {

    NacosRegistryFactoryTests() {
        super(NacosRegistryAutoConfiguration.class);
    }

    @Override
    protected Set<String> schemes() {
        return Set.of("nacos");
    }

    @Override
    protected List<String> coordinates() {
        return List.of("com.alibaba.nacos:nacos-client");
    }

    @Override
    protected FilteredClassLoader withoutClientLibrary() {
        return new FilteredClassLoader("com.alibaba.nacos");
    }

    @Override
    protected String unreachable() {
        return "nacos://user:secret@127.0.0.1:1,127.0.0.1?namespace=a";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "nacos:                   |      |      |        |     |        | url        | no host",
                "nacos://h,my_nacos       |      |      |        |     |        | url        | underscore",
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
        assertInvalid(
                definition(url, Timing.DEFAULT, prefix, new Credentials(username, password, token), bundle),
                property,
                reason);
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
