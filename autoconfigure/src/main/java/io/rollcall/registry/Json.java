package io.rollcall.registry;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.json.JsonParseException;
import org.springframework.boot.json.JsonParser;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.json.JsonWriter;

/**
 * Reads and writes the JSON of registries' records with whatever JSON library the application has: registries hold untrusted data,
 * so nothing is ever mapped to a type that the data names. Thread-safe.
 */
public final class Json {

    /** Records longer than this, in bytes, are not instances. */
    public static final int MAX_BYTES = 64 * 1024;

    private static final JsonWriter<Object> WRITER = JsonWriter.standard();

    private final JsonParser parser = JsonParserFactory.getJsonParser();

    /**
     * Reads one JSON object.
     *
     * @param data UTF-8, or null
     * @return its members; nested objects are maps, arrays lists
     * @throws IllegalArgumentException if it is not one JSON object in UTF-8 of at most {@link #MAX_BYTES} bytes
     */
    public Map<String, Object> readObject(byte @Nullable [] data) {
        return readObject(data, MAX_BYTES);
    }

    /**
     * Reads one JSON object.
     *
     * @param data UTF-8, or null
     * @param maxBytes how long it may be
     * @return its members; nested objects are maps, arrays lists
     * @throws IllegalArgumentException if it is not one JSON object in UTF-8 of that length
     */
    public Map<String, Object> readObject(byte @Nullable [] data, int maxBytes) {
        return read(data, maxBytes, "object", parser::parseMap);
    }

    /**
     * Reads one JSON array.
     *
     * @param data UTF-8, or null
     * @param maxBytes how long it may be
     * @return its elements; objects are maps, arrays lists
     * @throws IllegalArgumentException if it is not one JSON array in UTF-8 of that length
     */
    public List<Object> readArray(byte @Nullable [] data, int maxBytes) {
        return read(data, maxBytes, "array", parser::parseList);
    }

    private static <T> T read(byte @Nullable [] data, int maxBytes, String what, Function<String, @Nullable T> reader) {
        if (data == null || data.length == 0) {
            throw new IllegalArgumentException("no data");
        }
        if (data.length > maxBytes) {
            throw new IllegalArgumentException("longer than " + maxBytes + " bytes");
        }
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(data))
                    .toString();
            T value = reader.apply(text);
            if (value == null) {
                throw new IllegalArgumentException("not a JSON " + what);
            }
            return value;
        } catch (CharacterCodingException ex) {
            throw new IllegalArgumentException("not UTF-8", ex);
        } catch (JsonParseException | StackOverflowError ex) {
            throw new IllegalArgumentException("not a JSON " + what, ex);
        }
    }

    /** The JSON text of a map, whose values are strings, numbers, booleans, nulls, lists and maps. */
    public String write(Map<String, ?> object) {
        return WRITER.writeToString(object);
    }

    /**
     * The JSON text of an instance's record.
     *
     * @param id the instance's
     * @throws RefusedException if it is longer than its readers read, to whom it would not be there
     */
    public String writeRecord(String id, Map<String, ?> record) throws RefusedException {
        String text = write(record);
        int length = text.getBytes(StandardCharsets.UTF_8).length;
        if (length > MAX_BYTES) {
            throw new RefusedException("The record of " + id + " has " + length + " bytes, more than the " + MAX_BYTES
                    + " that are read: give it less metadata");
        }
        return text;
    }

    /** A member's text, or null where there is none; numbers and booleans count as text. */
    public static @Nullable String text(Map<String, ?> object, String key) {
        Object value = object.get(key);
        return value instanceof String || value instanceof Number || value instanceof Boolean ? value.toString() : null;
    }

    /**
     * A member's number.
     *
     * @return it, or null where there is none
     * @throws IllegalArgumentException if there is something else than a whole number, or text that is one
     */
    public static @Nullable Integer integer(Map<String, ?> object, String key) {
        Object value = object.get(key);
        if (value == null) {
            return null;
        }
        try {
            // By its text, since a number may have a fraction, or more digits than any type of Java's.
            return value instanceof Number number
                    ? Integer.valueOf(new BigDecimal(number.toString()).intValueExact())
                    : Integer.valueOf(value.toString());
        } catch (NumberFormatException | ArithmeticException ex) {
            throw new IllegalArgumentException(key + " is not a whole number", ex);
        }
    }
}
