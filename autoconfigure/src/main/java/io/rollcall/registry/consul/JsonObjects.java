package io.rollcall.registry.consul;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads JSON values of which it is not known what they are. */
final class JsonObjects {

    private JsonObjects() {}

    /** The object without its null members; empty if it is none. */
    static Map<String, Object> object(@Nullable Object value) {
        Map<String, Object> members = new LinkedHashMap<>();
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, member) -> {
                if (member != null) {
                    members.put(String.valueOf(key), member);
                }
            });
        }
        return members;
    }

    /** The object's members as texts. */
    static Map<String, String> texts(@Nullable Object value) {
        Map<String, String> texts = new LinkedHashMap<>();
        object(value).forEach((key, member) -> texts.put(key, member.toString()));
        return texts;
    }

    /** The array's elements; empty if it is none. */
    static List<?> array(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
