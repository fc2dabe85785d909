package io.rollcall.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.TestApplication;
import io.rollcall.autoconfigure.FailureAnalyses;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryFactoryContract;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.assertj.core.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;

/** What becomes of a configuration. */
class EtcdRegistryFactoryTests extends RegistryFactoryContract {

    EtcdRegistryFactoryTests() {
        super(EtcdRegistryAutoConfiguration.class, SslAutoConfiguration.class);
    }

    @Override
    protected Set<String> schemes() {
        return Set.of("etcd", "etcds");
    }

    @Override
    protected List<String> coordinates() {
        return List.of("io.etcd:jetcd-grpc");
    }

    @Override
    protected FilteredClassLoader withoutClientLibrary() {
        return new FilteredClassLoader("io.etcd", "io.grpc");
    }

    @Override
    protected String unreachable() {
        return "etcd://user:secret@127.0.0.1:1,127.0.0.1:2";
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "etcd://a.invalid",
                "etcd://[::1]:2380,b.invalid:1",
                "etcds://user:p%40ss@a.invalid",
                "etcd://127.0.0.1:1,127.0.0.1:2"
            })
    void neitherResolvesNorConnectsToBeMade(String url) {
        runner().run(context -> {
            Registry registry = context.getBean(RegistryFactory.class).create(definition(url));

            assertThat(registry.type()).isEqualTo("etcd");
            assertThat(registry.url()).doesNotContain("p@ss");
            registry.client().close();
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "etcd:orders       |      |        |     |         | url        | no host",
                "etcds:            |      |        |     |         | url        | no host",
                "etcd://h,my_etcd  |      |        |     |         | url        | underscore",
                "etcd://h/a        |      |        |     |         | url        | neither a path nor",
                "etcd://h?a=secret |      |        |     |         | url        | neither a path nor",
                "etcd://h          | user |        |     |         | password   | both",
                "etcd://h          |      | secret |     |         | username   | both",
                "etcd://h          |      |        | tok |         | token      | minutes",
                "etcds://h         |      |        |     | missing | ssl.bundle | no SSL bundle of that name"
            })
    void whatCanNotBeIsToldAtStart(
            String url, String username, String password, String token, String bundle, String property, String reason) {
        assertInvalid(
                definition(url, Timing.DEFAULT, null, new Credentials(username, password, token), bundle),
                property,
                reason);
    }

    @Test
    void anIntervalOfZeroCanNotBe() {
        Timing never = new Timing(Duration.ZERO, Duration.ofSeconds(15), Duration.ofSeconds(3));

        assertInvalid(definition("etcd://h", never, null, null, null), "interval", "checks nothing itself");
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
