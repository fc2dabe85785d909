package io.rollcall.registry.eureka;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryFactoryContract;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.context.FilteredClassLoader;

class EurekaRegistryFactoryTests extends RegistryFactoryContract {

    EurekaRegistryFactoryTests() {
        super(EurekaRegistryAutoConfiguration.class);
    }

    @Override
    protected Set<String> schemes() {
        return Set.of("eureka", "eurekas");
    }

    @Override
    protected List<String> coordinates() {
        return List.of("org.apache.httpcomponents.core5:httpcore5");
    }

    @Override
    protected FilteredClassLoader withoutClientLibrary() {
        return new FilteredClassLoader("org.apache.hc");
    }

    @Override
    protected String unreachable() {
        return "eureka://user:secret@127.0.0.1:1,127.0.0.1:2/eureka";
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "eureka://h1,[fd00::1]:1/     | http://h1:8761/eureka  | http://[fd00::1]:1/eureka",
                "eurekas://h1:443,h2/a/b/     | https://h1:443/a/b     | https://h2:8761/a/b"
            })
    void readsTheServersFromTheUrl(String url, String first, String second) {
        assertThat(EurekaSettings.of(definition(url)).servers()).containsExactly(first, second);
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
        Duration every = interval == null ? Timing.DEFAULT.interval() : Duration.parse(interval);
        assertInvalid(
                definition(
                        url,
                        new Timing(every, Timing.DEFAULT.ttl(), Timing.DEFAULT.timeout()),
                        prefix,
                        new Credentials(username, password, token),
                        bundle),
                property,
                reason);
    }
}
