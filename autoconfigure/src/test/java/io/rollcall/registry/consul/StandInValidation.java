package io.rollcall.registry.consul;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What an agent refuses. */
final class StandInValidation {

    private StandInValidation() {}

    /** The text of the refusal, or null. */
    static String problem(Map<String, Object> definition) {
        if (!(definition.get("Name") instanceof String name) || name.isEmpty()) {
            return "Missing service name";
        }
        Map<String, String> meta = JsonObjects.texts(definition.get("Meta"));
        if (meta.size() > 64) {
            return "Invalid Service Meta: Node metadata cannot contain more than 64 key/value pairs";
        }
        for (Map.Entry<String, String> pair : meta.entrySet()) {
            String problem = problem(pair.getKey(), pair.getValue());
            if (problem != null) {
                return "Invalid Service Meta: Couldn't load metadata pair ('" + pair.getKey() + "', '" + pair.getValue()
                        + "'): " + problem;
            }
        }
        Object passing = JsonObjects.object(definition.get("Weights")).get("Passing");
        if (passing instanceof Number weight && (weight.intValue() < 1 || weight.intValue() > 65535)) {
            return "Invalid Weights: Passing must be greater than 0";
        }
        return null;
    }

    private static String problem(String key, String value) {
        if (key.isEmpty()) {
            return "Key cannot be blank";
        }
        if (!key.matches("[A-Za-z0-9_-]+")) {
            return "Key contains invalid characters";
        }
        if (key.length() > 128) {
            return "Key is too long (limit: 128 characters)";
        }
        if (key.startsWith("consul-")) {
            return "Key prefix 'consul-' is reserved for internal use";
        }
        return value.getBytes(StandardCharsets.UTF_8).length > 512 ? "Value is too long (limit: 512 characters)" : null;
    }
}
