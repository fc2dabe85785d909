package io.rollcall.registry.eureka;

import io.rollcall.registry.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What Eureka has registered under an id.
 *
 * @param lastDirty the time that its writer gave it, in milliseconds since the epoch: tells one registration from the next
 * @param override the status that an operator has set, or null for none
 * @param hostName its host, as written
 * @param port the port that it is to be called at, or null
 */
record Registered(
        long lastDirty,
        @Nullable String override,
        @Nullable String hostName,
        @Nullable Integer port) {

    private static final String NONE = "UNKNOWN";

    static Registered of(Map<String, Object> instance) {
        String override = Json.text(instance, "overriddenStatus");
        return new Registered(
                lastDirty(instance),
                override == null || override.equals(NONE) ? null : override,
                Json.text(instance, "hostName"),
                InstanceCodec.callPort(instance));
    }

    private static long lastDirty(Map<String, Object> instance) {
        String text = Json.text(instance, "lastDirtyTimestamp");
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException ex) {
            return 0;
        }
    }
}
