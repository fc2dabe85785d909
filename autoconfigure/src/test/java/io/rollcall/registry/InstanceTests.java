package io.rollcall.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InstanceTests {

    private static Instance instance(String host, Map<String, String> metadata) {
        return new Instance("id", "orders", host, 8080, false, metadata);
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, http://127.0.0.1:8080",
        "2001:db8::1, http://[2001:db8::1]:8080",
        "my_host.local, http://my_host.local:8080"
    })
    void hasAnAddressInWhichAnIpv6HostIsBracketed(String host, String uri) {
        assertThat(instance(host, Map.of()).uri()).hasToString(uri);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                " ",
                "a b",
                "http://x",
                "user@h",
                "h/x",
                "h:80",
                "h\r\nX: y",
                "fe80::1%eth0",
                "ä",
                "::::",
                "1::2::3",
                "a..b",
                "-",
                "1.2.3.400"
            })
    void refusesAHostThatCouldBeSomethingElseInAUri(String host) {
        assertThatIllegalArgumentException().isThrownBy(() -> instance(host, Map.of()));
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65536})
    void refusesAPortThatIsNone(int port) {
        assertThatIllegalArgumentException().isThrownBy(() -> new Instance("id", "orders", "h", port, false, Map.of()));
    }

    @ParameterizedTest
    @CsvSource({"7, 7", "0, 0", "-3, 0", "0.4, 1", "2.0, 2", "99999, 10000", "NaN, 100", "many, 100", "'', 100"})
    void readsTheWeightThatOthersWrite(String text, int weight) {
        assertThat(instance("h", Map.of("weight", text)).weight()).isEqualTo(weight);
    }

    @Test
    void aWeightThatNobodyNamesIsTheDefault() {
        assertThat(instance("h", Map.of()).weight()).isEqualTo(100);
    }
}
