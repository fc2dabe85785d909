package io.rollcall.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTests {

    private final Json json = new Json();

    @Test
    void readsWhatItWrites() {
        Map<String, Object> object = new LinkedHashMap<>();
        object.put("text", "grüße \"\\ \n \u2028 /");
        object.put("number", 8080);
        object.put("yes", true);
        object.put("nothing", null);
        object.put("list", List.of(1, "two"));
        object.put("nested", Map.of("a.b", "c"));

        byte[] written = json.write(object).getBytes(StandardCharsets.UTF_8);

        assertThat(json.readObject(written)).isEqualTo(object);
    }

    @Test
    void readsNumbersThatAreTextAndTextThatIsANumber() {
        Map<String, Object> object =
                json.readObject("{\"a\":1,\"b\":\"2\",\"c\":2.5,\"d\":[]}".getBytes(StandardCharsets.UTF_8));

        assertThat(Json.integer(object, "a")).isEqualTo(1);
        assertThat(Json.integer(object, "b")).isEqualTo(2);
        assertThat(Json.integer(object, "none")).isNull();
        assertThat(Json.text(object, "a")).isEqualTo("1");
        assertThat(Json.text(object, "d")).isNull();
        assertThatIllegalArgumentException().isThrownBy(() -> Json.integer(object, "d"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"8080.5", "18446744073709559696", "-1e400", "1e400", "3000000000"})
    void aNumberThatIsNoIntegerIsNotRoundedOrCutToOne(String number) {
        Map<String, Object> object = json.readObject(("{\"port\":" + number + "}").getBytes(StandardCharsets.UTF_8));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> Json.integer(object, "port"))
                .withMessage("port is not a whole number");
    }

    @Test
    void aWholeNumberMayBeWrittenAsAFraction() {
        assertThat(Json.integer(json.readObject("{\"port\":8080.0}".getBytes(StandardCharsets.UTF_8)), "port"))
                .isEqualTo(8080);
    }

    @Test
    void refusesNothingAtAll() {
        assertThatIllegalArgumentException().isThrownBy(() -> json.readObject(null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "x", "[]", "null", "1", "\"x\"", "{", "{\"a\":", "{\"a\":1}}", "{a:1}"})
    void refusesWhatIsNoObject(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> json.readObject(text.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void refusesWhatIsTooLongTooDeepOrNotUtf8() {
        assertThatIllegalArgumentException().isThrownBy(() -> json.readObject(new byte[Json.MAX_BYTES + 1]));
        assertThatIllegalArgumentException().isThrownBy(() -> json.readObject(new byte[] {'{', (byte) 0xC3, '}'}));
        String deep = "{\"a\":" + "[".repeat(30_000) + "]".repeat(30_000) + "}";
        assertThatIllegalArgumentException().isThrownBy(() -> json.readObject(deep.getBytes(StandardCharsets.UTF_8)));
    }
}
