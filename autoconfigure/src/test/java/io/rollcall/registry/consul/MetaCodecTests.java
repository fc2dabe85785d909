package io.rollcall.registry.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rollcall.registry.Json;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class MetaCodecTests {

    private static final Map<String, String> OWN = Map.of("rollcall-owner", "me-1");

    private final MetaCodec codec = new MetaCodec(new Json());

    private Map<String, String> encode(Map<String, String> metadata) {
        MetaCodec.Encoded encoded = codec.encode(metadata, OWN);
        assertThat(encoded.dropped()).isEmpty();
        assertLegal(encoded.meta());
        return encoded.meta();
    }

    private static void assertLegal(Map<String, String> meta) {
        assertThat(StandInValidation.problem(Map.of("Name", "x", "Meta", meta))).isNull();
    }

    @Test
    void leavesWhatIsLegalAsItIs() {
        Map<String, String> metadata = Map.of("zone", "a", "A-b_9", "grüße \"x\"", "empty", "");

        Map<String, String> expected = new HashMap<>(metadata);
        expected.putAll(OWN);
        assertThat(encode(metadata)).isEqualTo(expected);
        assertThat(codec.decode(encode(metadata))).isEqualTo(metadata);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a.b", "a b", "ä", "", "consul-x", "rollcall-owner", "rollcall-more-0", "a/b:c", "\"", "💡"})
    void givesBackOddKeys(String key) {
        Map<String, String> metadata = Map.of(key, "1", "zone", "a");

        assertThat(codec.decode(encode(metadata))).isEqualTo(metadata);
        assertThat(encode(metadata)).containsEntry("zone", "a");
    }

    @Test
    void givesBackLongKeysAndValues() {
        Map<String, String> metadata = Map.of(
                "k".repeat(129), "1", "long", "ü💡\\\"".repeat(500), "limit", "x".repeat(512), "over", "ü".repeat(257));

        assertThat(codec.decode(encode(metadata))).isEqualTo(metadata);
        assertThat(encode(metadata)).containsEntry("limit", "x".repeat(512)).doesNotContainKeys("long", "over");
    }

    @Test
    void makesRoomForManyPairs() {
        Map<String, String> metadata = new TreeMap<>();
        for (int i = 0; i < 300; i++) {
            metadata.put("key" + i, "value " + i);
        }
        metadata.put("zone", "a");
        metadata.put("weight", "7");

        assertThat(encode(metadata))
                .hasSizeLessThanOrEqualTo(64)
                .containsEntry("zone", "a")
                .containsEntry("weight", "7");
        assertThat(codec.decode(encode(metadata))).isEqualTo(metadata);
    }

    @Test
    void leavesTheLongestOutIfThereIsNoRoom() {
        Map<String, String> metadata =
                Map.of("a.b", "1", "huge.1", "x".repeat(30_000), "huge.2", "x".repeat(30_001), "weight", "0");

        MetaCodec.Encoded encoded = codec.encode(metadata, OWN);

        assertLegal(encoded.meta());
        assertThat(encoded.dropped()).containsExactly("huge.2");
        assertThat(codec.decode(encoded.meta())).containsOnlyKeys("a.b", "huge.1", "weight");
    }

    @Test
    void readsWhatOthersWrite() {
        assertThat(codec.decode(Map.of())).isEmpty();
        assertThat(codec.decode(Map.of("a", "b", "rollcall-unknown", "x"))).isEqualTo(Map.of("a", "b"));
        assertThatIllegalArgumentException().isThrownBy(() -> codec.decode(Map.of("rollcall-more-0", "{\"a\":")));
    }
}
