package io.rollcall.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rollcall.registry.RegistryUrl.Endpoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryUrlTests {

    @Test
    void readsEveryPart() {
        RegistryUrl url =
                RegistryUrl.parse("Redis-Sentinel://us%40er:p%2F%3Ass@h1:1,[2001:db8::1]:2,h3/master?db=3&x=a+b");

        assertThat(url.scheme()).isEqualTo("redis-sentinel");
        assertThat(url.username()).isEqualTo("us@er");
        assertThat(url.password()).isEqualTo("p/:ss");
        assertThat(url.endpoints())
                .containsExactly(new Endpoint("h1", 1), new Endpoint("2001:db8::1", 2), new Endpoint("h3", 0));
        assertThat(url.path()).isEqualTo("master");
        assertThat(url.query()).containsEntry("db", "3").containsEntry("x", "a+b");
    }

    @Test
    void aPasswordAloneHasNoUser() {
        RegistryUrl url = RegistryUrl.parse("redis://:secret@localhost");

        assertThat(url.username()).isNull();
        assertThat(url.password()).isEqualTo("secret");
    }

    @Test
    void aSchemeAloneIsEnough() {
        assertThat(RegistryUrl.parse("zookeeper:").endpoints()).isEmpty();
        assertThat(RegistryUrl.parse("memory:shared").path()).isEqualTo("shared");
        for (String url : new String[] {"dns:svc.local", "dns:///svc.local"}) {
            assertThat(RegistryUrl.parse(url).endpoints()).isEmpty();
            assertThat(RegistryUrl.parse(url)).hasToString("dns:svc.local");
        }
        assertThat(RegistryUrl.parse("dns://")).hasToString("dns:");
    }

    @ParameterizedTest
    @CsvSource({
        "redis://user:secret@h:1/2, redis://******@h:1/2",
        "redis://:secret@h, redis://******@h",
        "nacos://h?token=secret&group=secret, nacos://h?token=******&group=******",
        "'zookeeper://h1:1,[::1]:2/chroot', 'zookeeper://h1:1,[::1]:2/chroot'",
        "redis:, redis:",
        "memory:shared, memory:shared"
    })
    void printsNoSecret(String text, String printed) {
        assertThat(RegistryUrl.parse(text)).hasToString(printed);
        assertThat(new RegistryDefinition.Credentials("secret", "secret", "secret").toString())
                .doesNotContain("secret");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "localhost",
                "redis:/localhost",
                "redis://",
                "redis://h:",
                "redis://h:0",
                "redis://h:65536",
                "redis://h:port",
                "redis://h1,,h2",
                "redis://[::1",
                "redis:secret@h",
                "://h",
                "redis://h%zz/%zz"
            })
    void refusesWhatIsNoUrlWithoutRepeatingIt(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> RegistryUrl.parse(text))
                .withMessageNotContaining("secret");
    }

    @ParameterizedTest
    @CsvSource({"redis://a:b:secret@h, b:secret", "redis://a:b@secret@h, b@secret"})
    void takesWhatIsBetweenTheFirstColonAndTheLastAtForThePassword(String text, String password) {
        assertThat(RegistryUrl.parse(text).password()).isEqualTo(password);
    }
}
