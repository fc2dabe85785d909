package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NodeCodecTests {

    private final NodeCodec codec = new NodeCodec(new Json());

    private Instance read(String data) {
        return codec.read("orders", "node-1", data.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void readsBackWhatItWrites() throws Exception {
        Instance instance = new Instance(
                "orders-1",
                "orders",
                "fd00::1",
                8443,
                true,
                Map.of("zone", "a", "note", "grüße \"x\"\n", "weight", "7"));

        assertThat(codec.read("orders", "orders-1", codec.write(instance, 1))).isEqualTo(instance);
    }

    @Test
    void refusesWhatItWouldNotReadBackForItsLength() {
        Instance instance =
                new Instance("orders-1", "orders", "10.0.0.1", 80, false, Map.of("note", "x".repeat(Json.MAX_BYTES)));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> codec.write(instance, 1))
                .withMessageContaining("The record of orders-1 has")
                .withMessageContaining("give it less metadata");
    }

    @Test
    void writesTheSameBytesForTheSameInstance() throws Exception {
        Instance instance = new Instance("orders-1", "orders", "10.0.0.1", 80, false, Map.of("b", "1", "a", "2"));

        assertThat(codec.write(instance, 5)).isEqualTo(codec.write(instance, 5));
    }

    @Test
    void readsAnEntryOfAddressAndPortAlone() {
        assertThat(read("{\"address\":\"10.0.0.1\",\"port\":8080}"))
                .isEqualTo(new Instance("node-1", "orders", "10.0.0.1", 8080, false, Map.of()));
    }

    @Test
    void readsAnEntryOfAPayloadAlone() {
        assertThat(read("{\"payload\":{\"host\":\"10.0.0.1\",\"port\":8443,\"ssl\":true}}"))
                .isEqualTo(new Instance("node-1", "orders", "10.0.0.1", 8443, true, Map.of()));
    }

    @Test
    void takesThePortForTlsFromWhereStockReadersTakeIt() {
        Instance instance = read("{\"id\":\"a\",\"address\":\"h\",\"port\":8080,\"sslPort\":8443}");

        assertThat(instance.port()).isEqualTo(8443);
        assertThat(instance.secure()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "\"text\"",
                "[1]",
                "{\"@class\":\"com.example.Foreign\",\"x\":[1,{}]}",
                "{\"@class\":\"java.lang.Runtime\"}",
                "{\"metadata\":\"none\"}",
                "{\"metadata\":null}",
                "{\"metadata\":[1]}"
            })
    void anyPayloadWill(String payload) {
        assertThat(read("{\"id\":\"a\",\"address\":\"h\",\"port\":80,\"payload\":" + payload + "}"))
                .isEqualTo(new Instance("a", "orders", "h", 80, false, Map.of()));
    }

    @Test
    void keepsMetadataThatIsTextOrNumberAndDropsTheRest() {
        assertThat(read("{\"address\":\"h\",\"port\":80,\"payload\":{\"metadata\":"
                                + "{\"a\":\"1\",\"b\":2,\"c\":true,\"d\":null,\"e\":{},\"f\":[]}}}")
                        .metadata())
                .containsExactlyInAnyOrderEntriesOf(Map.of("a", "1", "b", "2", "c", "true"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"address\":\"h\",\"port\":80,\"payload\":{\"metadata\":{\"instance_status\":\"OUT_OF_SERVICE\"}}}",
                "{\"address\":\"h\",\"port\":80,\"payload\":{\"metadata\":{\"instance_status\":\"DOWN\"}}}",
                "{\"address\":\"h\",\"port\":80,\"enabled\":false}"
            })
    void whoSaysNotToBeCalledIsNotListed(String data) {
        assertThat(read(data)).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "null",
                "1",
                "{}",
                "{\"address\":\"h\"}",
                "{\"port\":80}",
                "{\"address\":\"\",\"port\":80}",
                "{\"address\":\"h\",\"port\":\"http\"}",
                "{\"address\":\"h\",\"port\":0}",
                "{\"address\":\"h\",\"port\":65536}",
                "{\"address\":\"h\",\"port\":1e99}",
                "{\"address\":\"h\",\"port\":{}}",
                "{\"address\":\"a b\",\"port\":80}",
                "{\"address\":\"h/x?\",\"port\":80}",
                "{\"address\":[],\"port\":80}",
                "{\"address\":\"h\",\"port\":80"
            })
    void whatCanNotBeUnderstoodIsAnError(String data) {
        assertThatIllegalArgumentException().isThrownBy(() -> read(data));
    }

    @Test
    void neitherNothingNorTooMuchNorBrokenTextIsRead() {
        assertThatIllegalArgumentException().isThrownBy(() -> codec.read("orders", "n", null));
        assertThatIllegalArgumentException().isThrownBy(() -> codec.read("orders", "n", new byte[Json.MAX_BYTES + 1]));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> codec.read("orders", "n", new byte[] {'{', '"', (byte) 0xff, '"', ':', '1', '}'}));
        assertThatIllegalArgumentException().isThrownBy(() -> read("{\"a\":".repeat(10_000)));
    }
}
