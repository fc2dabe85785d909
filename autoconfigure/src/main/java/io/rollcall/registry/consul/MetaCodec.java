package io.rollcall.registry.consul;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Puts metadata into the form that Consul accepts, and back: keys of {@code A-Za-z0-9_-} up to 128 characters that do not begin with
 * {@code consul-}, values up to 512 bytes, at most 64 pairs. What is of this form stands there as it is. All else is one JSON object,
 * cut into the values of {@code rollcall-more-0}, {@code rollcall-more-1} and so on.
 */
final class MetaCodec {

    /** Keys that begin so are ours. */
    static final String RESERVED = "rollcall-";

    private static final String MORE = RESERVED + "more-";

    private static final Pattern LEGAL_KEY = Pattern.compile("[A-Za-z0-9_-]{1,128}");

    private static final String CONSULS_OWN = "consul-";

    private static final int MAX_VALUE = 512;

    private static final int MAX_PAIRS = 64;

    /** What readers that know nothing of Rollcall may look for: the last to be moved into the JSON. */
    private static final Set<String> KNOWN = Set.of("secure", Instance.WEIGHT, "scheme", "zone", "region", "env");

    private final Json json;

    MetaCodec(Json json) {
        this.json = json;
    }

    /**
     * Metadata in Consul's form.
     *
     * @param meta the pairs
     * @param dropped keys for which there was no room
     */
    record Encoded(Map<String, String> meta, List<String> dropped) {}

    /**
     * Encodes metadata.
     *
     * @param metadata any
     * @param own what else has to stand there, in Consul's form
     */
    Encoded encode(Map<String, String> metadata, Map<String, String> own) {
        TreeMap<String, String> plain = new TreeMap<>(
                Comparator.comparing((String key) -> !KNOWN.contains(key)).thenComparing(Comparator.naturalOrder()));
        TreeMap<String, String> odd = new TreeMap<>();
        metadata.forEach((key, value) -> (isLegal(key, value) ? plain : odd).put(key, value));
        int room = MAX_PAIRS - own.size();
        List<String> dropped = new ArrayList<>();
        List<String> more = cut(odd);
        while (plain.size() + more.size() > room) {
            Map.Entry<String, String> last = plain.isEmpty() ? null : plain.lastEntry();
            if (last != null && plain.size() > KNOWN.size()) {
                plain.remove(last.getKey());
                odd.put(last.getKey(), last.getValue());
            } else {
                String longest = odd.entrySet().stream()
                        .max(Comparator.comparingInt(entry -> entry.getValue().length()))
                        .orElseThrow()
                        .getKey();
                odd.remove(longest);
                dropped.add(longest);
            }
            more = cut(odd);
        }
        Map<String, String> meta = new LinkedHashMap<>(own);
        meta.putAll(plain);
        for (int i = 0; i < more.size(); i++) {
            meta.put(MORE + i, more.get(i));
        }
        return new Encoded(meta, List.copyOf(dropped));
    }

    private static boolean isLegal(String key, String value) {
        return LEGAL_KEY.matcher(key).matches()
                && !key.startsWith(CONSULS_OWN)
                && !key.startsWith(RESERVED)
                && bytes(value) <= MAX_VALUE;
    }

    private static int bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    private List<String> cut(Map<String, String> odd) {
        List<String> pieces = new ArrayList<>();
        if (odd.isEmpty()) {
            return pieces;
        }
        StringBuilder piece = new StringBuilder();
        int length = 0;
        for (int codePoint : json.write(odd).codePoints().toArray()) {
            String character = Character.toString(codePoint);
            length += bytes(character);
            if (length > MAX_VALUE) {
                pieces.add(piece.toString());
                piece.setLength(0);
                length = bytes(character);
            }
            piece.append(character);
        }
        pieces.add(piece.toString());
        return pieces;
    }

    /**
     * The metadata that was encoded, without what stands beside it.
     *
     * @throws IllegalArgumentException if the part that is JSON can not be understood
     */
    Map<String, String> decode(Map<String, String> meta) {
        Map<String, String> metadata = new LinkedHashMap<>();
        meta.forEach((key, value) -> {
            if (!key.startsWith(RESERVED)) {
                metadata.put(key, value);
            }
        });
        StringBuilder more = new StringBuilder();
        for (int i = 0; meta.containsKey(MORE + i); i++) {
            more.append(meta.get(MORE + i));
        }
        if (!more.isEmpty()) {
            metadata.putAll(JsonObjects.texts(json.readObject(more.toString().getBytes(StandardCharsets.UTF_8))));
        }
        return metadata;
    }
}
