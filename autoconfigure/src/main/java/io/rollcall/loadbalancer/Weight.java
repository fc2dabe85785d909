package io.rollcall.loadbalancer;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;

/** An instance's share of the traffic, as it says itself under the metadata key {@code weight}. */
final class Weight {

    private static final String KEY = "weight";

    private static final int DEFAULT = 100;

    private static final int MAX = 10_000;

    private Weight() {}

    /** A whole number from 0 (no traffic) to 10000; 100 if the instance names none or anything else. */
    static int of(ServiceInstance instance) {
        @Nullable Map<String, String> metadata = instance.getMetadata();
        String value = (metadata != null) ? metadata.get(KEY) : null;
        if (value == null) {
            return DEFAULT;
        }
        try {
            int weight = Integer.parseInt(value);
            return (weight >= 0 && weight <= MAX) ? weight : DEFAULT;
        } catch (NumberFormatException ex) {
            return DEFAULT;
        }
    }
}
