package io.rollcall.registry.consul;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads entries of {@code /v1/health/service}, whoever wrote them. */
final class EntryReader {

    private static final String PASSING = "passing";

    /** The weight that Consul gives to an entry whose writer names none. */
    private static final int NO_WEIGHT = 1;

    private final ConsulNames names;

    private final MetaCodec codec;

    EntryReader(ConsulNames names, MetaCodec codec) {
        this.names = names;
        this.codec = codec;
    }

    /** Where the entry is, for messages. */
    String key(String service, Object entry) {
        return names.service(service) + " " + Json.text(service(entry), "ID");
    }

    /** Whether all checks of the instance and of its node pass. */
    boolean isPassing(Object entry) {
        return JsonObjects.array(JsonObjects.object(entry).get("Checks")).stream()
                .allMatch(check -> PASSING.equals(Json.text(JsonObjects.object(check), "Status")));
    }

    /**
     * The instance.
     *
     * @throws IllegalArgumentException if it is none
     */
    Instance read(String service, Object entry) {
        Map<String, Object> registered = service(entry);
        Map<String, String> meta = JsonObjects.texts(registered.get("Meta"));
        Integer port = Json.integer(registered, "Port");
        if (port == null) {
            throw new IllegalArgumentException("no port");
        }
        Map<String, String> metadata = codec.decode(meta);
        Integer weight = Json.integer(JsonObjects.object(registered.get("Weights")), "Passing");
        if (weight != null && weight != NO_WEIGHT) {
            metadata.putIfAbsent(Instance.WEIGHT, weight.toString());
        }
        return new Instance(
                id(meta, registered), service, host(entry, registered), port, secure(metadata, registered), metadata);
    }

    private static Map<String, Object> service(Object entry) {
        return JsonObjects.object(JsonObjects.object(entry).get("Service"));
    }

    private static String id(Map<String, String> meta, Map<String, Object> registered) {
        String id = meta.getOrDefault(EntryWriter.ID, Json.text(registered, "ID"));
        if (id == null) {
            throw new IllegalArgumentException("no id");
        }
        return id;
    }

    /** An entry without an address has that of its node. */
    private static String host(Object entry, Map<String, Object> registered) {
        String host = text(registered, "Address");
        if (host == null) {
            host = text(JsonObjects.object(JsonObjects.object(entry).get("Node")), "Address");
        }
        if (host == null) {
            throw new IllegalArgumentException("no address");
        }
        return host.startsWith("[") && host.endsWith("]") ? host.substring(1, host.length() - 1) : host;
    }

    private static @Nullable String text(Map<String, Object> object, String key) {
        String text = Json.text(object, key);
        return text == null || text.isBlank() ? null : text;
    }

    /** Spring Cloud Consul tells it by metadata, and by a tag before it did. */
    private static boolean secure(Map<String, String> metadata, Map<String, Object> registered) {
        String secure = metadata.get("secure");
        return secure != null
                ? Boolean.parseBoolean(secure)
                : JsonObjects.array(registered.get("Tags")).contains("secure=true");
    }
}
