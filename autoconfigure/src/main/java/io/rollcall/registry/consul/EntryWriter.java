package io.rollcall.registry.consul;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Swoole;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/** Makes what is sent to the agent for an instance. Used by one thread at a time. */
final class EntryWriter {

    /** The meta key of who has written an entry, and with which write. */
    static final String OWNER = MetaCodec.RESERVED + "owner";

    /** The meta key of the instance's id, where it is another one in Consul. */
    static final String ID = MetaCodec.RESERVED + "id";

    private static final Log logger = LogFactory.getLog(EntryWriter.class);

    private final ConsulSettings settings;

    private final MetaCodec codec;

    private List<String> reported = List.of();

    EntryWriter(ConsulSettings settings, MetaCodec codec) {
        this.settings = settings;
        this.codec = codec;
    }

    /**
     * A service definition of the agent's API.
     *
     * @param id the id in the agent
     * @param owner who writes it
     * @param check a check definition, or null for none
     */
    Map<String, Object> write(Instance instance, String id, String owner, @Nullable Map<String, Object> check) {
        Map<String, String> own = new LinkedHashMap<>();
        own.put(OWNER, owner);
        if (!id.equals(instance.id())) {
            own.put(ID, instance.id());
        }
        Map<String, String> metadata = new LinkedHashMap<>(instance.metadata());
        metadata.put("secure", Boolean.toString(instance.secure()));
        MetaCodec.Encoded encoded = codec.encode(metadata, own);
        report(instance, encoded.dropped());
        Map<String, Object> entry = new LinkedHashMap<>();
        entry.put("ID", id);
        entry.put("Name", settings.names().service(instance.service()));
        entry.put("Tags", settings.tags());
        if (!settings.agentAddress()) {
            entry.put("Address", instance.host());
        }
        entry.put("Port", instance.port());
        entry.put("Meta", encoded.meta());
        entry.put("Weights", Map.of("Passing", weight(instance), "Warning", 1));
        entry.put("EnableTagOverride", false);
        if (check != null) {
            entry.put("Check", check);
        }
        return entry;
    }

    /** Consul accepts none below 1: that 0 means no traffic is told by the metadata. */
    private int weight(Instance instance) {
        int weight = Math.max(1, instance.weight());
        return settings.names().swoole() ? Math.min(Swoole.MAX_WEIGHT, weight) : weight;
    }

    private void report(Instance instance, List<String> dropped) {
        if (!dropped.isEmpty() && !dropped.equals(reported)) {
            logger.warn("Consul has no room for all metadata of " + instance.id() + ": left out " + dropped);
        }
        reported = dropped;
    }

    /** Whether the agent's entry says what the definition does, whoever wrote it. */
    static boolean says(Map<String, Object> registered, Map<String, Object> definition) {
        return Objects.equals(registered.get("Service"), definition.get("Name"))
                && Objects.equals(registered.getOrDefault("Address", ""), definition.getOrDefault("Address", ""))
                && Objects.equals(registered.get("Port"), definition.get("Port"))
                && Objects.equals(JsonObjects.array(registered.get("Tags")), definition.get("Tags"))
                && Objects.equals(JsonObjects.object(registered.get("Weights")), definition.get("Weights"))
                && Objects.equals(withoutOwner(registered), withoutOwner(definition));
    }

    private static Map<String, String> withoutOwner(Map<String, Object> entry) {
        Map<String, String> meta = JsonObjects.texts(entry.get("Meta"));
        meta.remove(OWNER);
        return meta;
    }
}
