package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.cloud.client.DefaultServiceInstance;

class WeightTests {

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1, 1",
        "600, 600",
        "10000, 10000",
        "-1, 0",
        "10001, 10000",
        "99999999999, 10000",
        "0.5, 1",
        "1e3, 1000"
    })
    void isTheNumberInTheMetadata(String value, int weight) {
        assertThat(Weight.of(Instances.instance(1, Map.of("weight", value)))).isEqualTo(weight);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  ", "heavy", "NaN", "0x10"})
    void isOneHundredForAnythingElse(String value) {
        assertThat(Weight.of(Instances.instance(1, Map.of("weight", value)))).isEqualTo(100);
    }

    @Test
    void isOneHundredWithoutMetadata() {
        assertThat(Weight.of(Instances.instance(1, Map.of()))).isEqualTo(100);
        assertThat(Weight.of(new DefaultServiceInstance("id", "svc", "10.0.0.1", 1, false) {
                    @Override
                    public Map<String, String> getMetadata() {
                        return null;
                    }
                }))
                .isEqualTo(100);
    }
}
