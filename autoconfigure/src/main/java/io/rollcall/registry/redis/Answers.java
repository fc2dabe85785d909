package io.rollcall.registry.redis;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** Reads what scripts answer: lists of byte arrays, whole numbers and lists. */
final class Answers {

    private Answers() {}

    static String text(List<?> answer, int index) {
        return text(answer.get(index));
    }

    static String text(Object value) {
        return value instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : value.toString();
    }

    static long number(List<?> answer, int index) {
        return ((Number) answer.get(index)).longValue();
    }

    static List<?> list(List<?> answer, int index) {
        return (List<?>) answer.get(index);
    }

    static List<String> texts(List<?> answer, int index) {
        return list(answer, index).stream().map(Answers::text).toList();
    }
}
