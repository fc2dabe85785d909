package io.rollcall.registry.etcd;

import com.google.protobuf.ByteString;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Writes and reads the values of keys. What is written is what etcd's own package {@code client/v3/naming} reads ({@code Op},
 * {@code Addr}, {@code Metadata}), with the other fields of gRPC's resolver address ({@code ServerName}, {@code Attributes},
 * {@code Type}), and two of ours ({@code Id}, {@code Secure}) that such readers ignore. What is read is also the {@code ServiceInfo}
 * of ego, and a bare address. As in Go, the case of a field's name does not matter.
 */
final class EtcdRecords {

    /** What follows the service's name in the keys of ego's instances. */
    static final String EGO_PROVIDERS = "providers/";

    /** Other keys of ego below a service, which are no instances. */
    private static final String EGO_CONFIGURATORS = "configurators/";

    private static final int ADD = 0;

    private static final int DELETE = 1;

    private static final Pattern ADDRESS =
            Pattern.compile("(?:([A-Za-z][A-Za-z0-9+.-]*)://)?(?:\\[([^\\[\\]]+)]|([^:/\\[\\]]+)):(\\d{1,5})");

    private final Json json = new Json();

    /** @throws RefusedException if it is longer than its readers read */
    ByteString write(Instance instance) throws RefusedException {
        Map<String, @Nullable Object> value = new LinkedHashMap<>();
        value.put("Op", ADD);
        value.put("Addr", instance.address());
        value.put("ServerName", instance.service());
        value.put("Attributes", null);
        value.put("Type", 0);
        value.put("Metadata", instance.metadata());
        value.put("Id", instance.id());
        value.put("Secure", instance.secure());
        return ByteString.copyFromUtf8(json.writeRecord(instance.id(), value));
    }

    /**
     * Reads the value of a key.
     *
     * @param service the service that it is found under
     * @param entry what follows the service in its key
     * @return the instance, or null if it is none, or is not to be called
     * @throws IllegalArgumentException if it can not be understood
     */
    @Nullable
    Instance read(String service, String entry, ByteString value) {
        if (entry.startsWith(EGO_CONFIGURATORS)) {
            return null;
        }
        if (!value.isEmpty() && value.size() < 300 && value.isValidUtf8()) {
            Matcher bare = ADDRESS.matcher(value.toStringUtf8().strip());
            if (bare.matches()) {
                return instance(service, bare, new TreeMap<>(), Map.of());
            }
        }
        TreeMap<String, Object> fields = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        json.readObject(value.toByteArray()).forEach((name, field) -> {
            if (field != null) {
                fields.put(name, field);
            }
        });
        if (!isListed(fields)) {
            return null;
        }
        String address = Json.text(fields, "Addr");
        if (address == null || address.isBlank()) {
            address = Json.text(fields, "Address");
        }
        if (address == null) {
            throw new IllegalArgumentException("no Addr");
        }
        Matcher matcher = ADDRESS.matcher(address.strip());
        if (!matcher.matches()) {
            throw new IllegalArgumentException("its Addr is not of the form host:port");
        }
        return instance(service, matcher, fields, metadata(fields));
    }

    private static Instance instance(
            String service, Matcher address, TreeMap<String, Object> fields, Map<String, String> metadata) {
        String host = address.group(2) == null ? address.group(3) : address.group(2);
        int port = Integer.parseInt(address.group(4));
        String id = Json.text(fields, "Id");
        String scheme = address.group(1) == null ? Json.text(fields, "Scheme") : address.group(1);
        boolean secure = "true".equalsIgnoreCase(Json.text(fields, "Secure"))
                || "https".equalsIgnoreCase(String.valueOf(scheme));
        return new Instance(
                id == null || id.isBlank() ? service + "-" + host + "-" + port : id,
                service,
                host,
                port,
                secure,
                metadata);
    }

    /** Whether it says of itself that it is to be called. */
    private static boolean isListed(TreeMap<String, Object> fields) {
        Integer operation = Json.integer(fields, "Op");
        if (operation != null && operation != ADD && operation != DELETE) {
            throw new IllegalArgumentException("its Op is neither 0 nor 1");
        }
        return (operation == null || operation == ADD)
                && !Boolean.FALSE.equals(fields.get("Enable"))
                && !Boolean.FALSE.equals(fields.get("Healthy"));
    }

    /** The metadata, and what ego writes beside it. */
    private static Map<String, String> metadata(TreeMap<String, Object> fields) {
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : new String[] {"weight", "region", "zone", "deployment"}) {
            putText(texts, name, fields.get(name));
        }
        if (fields.get("Metadata") instanceof Map<?, ?> metadata) {
            metadata.forEach((key, value) -> putText(texts, String.valueOf(key), value));
        }
        return texts;
    }

    private static void putText(Map<String, String> texts, String key, @Nullable Object value) {
        String text = value == null ? null : Json.text(Map.of(key, value), key);
        if (text != null) {
            texts.put(key, text);
        }
    }
}
