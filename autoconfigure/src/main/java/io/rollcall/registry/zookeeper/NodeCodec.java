package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads a node's data: the JSON of Curator's service discovery with the payload class of spring-cloud-zookeeper. The
 * class is a name here, never loaded, and no other payload hinders reading. The payload also has {@code host}, {@code port} and
 * {@code ssl}, where readers in Node.js look.
 */
final class NodeCodec {

    private static final String PAYLOAD_CLASS = "org.springframework.cloud.zookeeper.discovery.ZookeeperInstance";

    private static final String STATUS = "instance_status";

    private static final String UP = "UP";

    private final Json json;

    NodeCodec(Json json) {
        this.json = json;
    }

    /**
     * A node's data.
     *
     * @param registrationTime milliseconds since the epoch
     * @throws RefusedException if it is longer than its readers read
     */
    byte[] write(Instance instance, long registrationTime) throws RefusedException {
        Map<String, Object> metadata = new LinkedHashMap<>(instance.metadata());
        metadata.put(STATUS, UP);
        Map<String, Object> payload = new LinkedHashMap<>();
        payload.put("@class", PAYLOAD_CLASS);
        payload.put("id", instance.id());
        payload.put("name", instance.service());
        payload.put("metadata", metadata);
        payload.put("host", instance.host());
        payload.put("port", instance.port());
        payload.put("ssl", instance.secure());
        Map<String, @Nullable Object> node = new LinkedHashMap<>();
        node.put("name", instance.service());
        node.put("id", instance.id());
        node.put("address", instance.host());
        node.put("port", instance.port());
        // Its presence is what tells readers of Curator's format to call by TLS.
        node.put("sslPort", instance.secure() ? instance.port() : null);
        node.put("payload", payload);
        node.put("registrationTimeUTC", registrationTime);
        node.put("serviceType", "DYNAMIC");
        node.put("uriSpec", Map.of("parts", uriSpec(instance)));
        return json.writeRecord(instance.id(), node).getBytes(StandardCharsets.UTF_8);
    }

    private static List<Map<String, Object>> uriSpec(Instance instance) {
        boolean ipv6 = instance.host().indexOf(':') >= 0;
        return List.of(
                part("scheme", true),
                part(ipv6 ? "://[" : "://", false),
                part("address", true),
                part(ipv6 ? "]:" : ":", false),
                part("port", true));
    }

    private static Map<String, Object> part(String value, boolean variable) {
        Map<String, Object> part = new LinkedHashMap<>();
        part.put("value", value);
        part.put("variable", variable);
        return part;
    }

    /**
     * Reads a node's data.
     *
     * @param service the service that it is found under
     * @param node the node's name
     * @param data the node's data
     * @return the instance, or null if it says of itself that it is not to be called
     * @throws IllegalArgumentException if it can not be understood
     */
    @Nullable
    Instance read(String service, String node, byte @Nullable [] data) {
        Map<String, Object> entry = json.readObject(data);
        Map<?, ?> payload = object(entry.get("payload"));
        Map<String, String> metadata = texts(object(payload.get("metadata")));
        String status = metadata.remove(STATUS);
        if (status != null && !status.equalsIgnoreCase(UP) || Boolean.FALSE.equals(entry.get("enabled"))) {
            return null;
        }
        Map<String, Object> fallback = members(payload);
        Integer sslPort = Json.integer(entry, "sslPort");
        Integer port = sslPort == null ? Json.integer(entry, "port") : sslPort;
        if (port == null) {
            port = Json.integer(fallback, "port");
        }
        if (port == null) {
            throw new IllegalArgumentException("no port");
        }
        boolean secure = sslPort != null || "true".equalsIgnoreCase(Json.text(fallback, "ssl"));
        return new Instance(id(entry, node), service, host(entry, fallback), port, secure, metadata);
    }

    private static String id(Map<String, Object> entry, String node) {
        String id = Json.text(entry, "id");
        return id == null || id.isBlank() ? node : id;
    }

    private static String host(Map<String, Object> entry, Map<String, Object> payload) {
        String host = Json.text(entry, "address");
        if (host == null || host.isBlank()) {
            host = Json.text(payload, "host");
        }
        if (host == null) {
            throw new IllegalArgumentException("no address");
        }
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static Map<?, ?> object(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static Map<String, Object> members(Map<?, ?> object) {
        Map<String, Object> members = new LinkedHashMap<>();
        object.forEach((key, value) -> {
            if (value != null) {
                members.put(String.valueOf(key), value);
            }
        });
        return members;
    }

    private static Map<String, String> texts(Map<?, ?> object) {
        Map<String, Object> members = members(object);
        Map<String, String> texts = new LinkedHashMap<>();
        for (String key : members.keySet()) {
            String text = Json.text(members, key);
            if (text != null) {
                texts.put(key, text);
            }
        }
        return texts;
    }
}
