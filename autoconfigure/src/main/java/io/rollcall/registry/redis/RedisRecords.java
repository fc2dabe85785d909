package io.rollcall.registry.redis;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The JSON of an instance: always the same text for the same instance, so that a renewal is told from a change. */
final class RedisRecords {

    private final Json json = new Json();

    /** @throws RefusedException if its readers would not read it for its length */
    String write(Instance instance) throws RefusedException {
        Map<String, Object> record = new LinkedHashMap<>();
        record.put("id", instance.id());
        record.put("service", instance.service());
        record.put("host", instance.host());
        record.put("port", instance.port());
        record.put("secure", instance.secure());
        record.put("metadata", instance.metadata());
        return json.writeRecord(instance.id(), record);
    }

    /** @throws IllegalArgumentException if it is not the record of that instance */
    Instance read(String service, String id, byte[] data) {
        Map<String, Object> record = json.readObject(data);
        if (!id.equals(Json.text(record, "id")) || !service.equals(Json.text(record, "service"))) {
            throw new IllegalArgumentException("it names another instance or service than its place");
        }
        String host = Json.text(record, "host");
        Integer port = Json.integer(record, "port");
        if (host == null || port == null) {
            throw new IllegalArgumentException("no host or port");
        }
        boolean secure = "true".equals(Json.text(record, "secure"));
        return new Instance(id, service, host, port, secure, metadata(record.get("metadata")));
    }

    private static Map<String, String> metadata(@Nullable Object value) {
        if (value == null) {
            return Map.of();
        }
        if (!(value instanceof Map<?, ?> map)) {
            throw new IllegalArgumentException("the metadata is not an object");
        }
        Map<String, String> metadata = new TreeMap<>();
        map.forEach((key, entry) -> {
            if (key != null && entry != null) {
                metadata.put(key.toString(), entry.toString());
            }
        });
        return metadata;
    }
}
