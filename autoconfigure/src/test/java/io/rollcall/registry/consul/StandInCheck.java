package io.rollcall.registry.consul;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A check of the stand-in. Guarded by its catalog. */
final class StandInCheck {

    final String id;

    final String name;

    final String type;

    final String notes;

    final Map<String, Object> definition;

    String status;

    String output = "";

    long createIndex;

    long modifyIndex;

    /** When it last passed or was registered, and when it became critical, on the nano clock. */
    long renewed = System.nanoTime();

    long criticalSince = System.nanoTime();

    StandInCheck(String id, String name, String type, String notes, String status, Map<String, Object> definition) {
        this.id = id;
        this.name = name;
        this.type = type;
        this.notes = notes;
        this.status = status;
        this.definition = definition;
    }

    static StandInCheck of(String serviceId, String serviceName, Map<String, Object> definition) {
        String type = definition.containsKey("TTL") ? "ttl" : definition.containsKey("HTTP") ? "http" : "tcp";
        return new StandInCheck(
                (String) definition.getOrDefault("CheckID", "service:" + serviceId),
                (String) definition.getOrDefault("Name", "Service '" + serviceName + "' check"),
                type,
                "",
                (String) definition.getOrDefault("Status", "critical"),
                definition);
    }

    /** A duration of the definition, in milliseconds. */
    long millis(String key, long otherwise) {
        Object value = definition.get(key);
        return value == null ? otherwise : Durations.millis(value.toString());
    }

    Map<String, Object> view(String node, String serviceId, String serviceName) {
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("Node", node);
        view.put("CheckID", id);
        view.put("Name", name);
        view.put("Status", status);
        view.put("Notes", notes);
        view.put("Output", output);
        view.put("ServiceID", serviceId);
        view.put("ServiceName", serviceName);
        view.put("ServiceTags", List.of());
        view.put("Type", type);
        view.put("Interval", "");
        view.put("Timeout", "");
        view.put("ExposedPort", 0);
        view.put("Definition", Map.of());
        view.put("CreateIndex", createIndex);
        view.put("ModifyIndex", modifyIndex);
        return view;
    }

    /** Go's notation of durations, as far as it is used here. */
    static final class Durations {

        private Durations() {}

        static long millis(String text) {
            if (text.endsWith("ms")) {
                return Long.parseLong(text.substring(0, text.length() - 2));
            }
            long number = Long.parseLong(text.substring(0, text.length() - 1));
            return switch (text.charAt(text.length() - 1)) {
                case 's' -> number * 1000;
                case 'm' -> number * 60_000;
                case 'h' -> number * 3_600_000;
                default -> throw new IllegalArgumentException("not a duration: " + text);
            };
        }
    }
}
