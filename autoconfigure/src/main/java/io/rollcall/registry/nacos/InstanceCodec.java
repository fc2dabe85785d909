package io.rollcall.registry.nacos;

import com.alibaba.nacos.api.naming.PreservedMetadataKeys;
import io.rollcall.registry.Instance;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Translates instances to those of Nacos and back. They look as if Spring Cloud Alibaba had registered them. */
final class InstanceCodec {

    /** Nacos makes ids of addresses; ours is kept beside it. */
    static final String ID = "rollcall.instance-id";

    private static final String SECURE = "secure";

    private static final String SOURCE = "SPRING_CLOUD";

    private final String cluster;

    private final NacosWeight weights;

    InstanceCodec(String cluster, NacosWeight weights) {
        this.cluster = cluster;
        this.weights = weights;
    }

    com.alibaba.nacos.api.naming.pojo.Instance write(Instance instance) {
        Map<String, String> metadata = new HashMap<>(instance.metadata());
        metadata.put(PreservedMetadataKeys.REGISTER_SOURCE, SOURCE);
        metadata.put(ID, instance.id());
        if (instance.secure()) {
            metadata.put(SECURE, "true");
        } else {
            metadata.computeIfPresent(SECURE, (key, value) -> "false");
        }
        com.alibaba.nacos.api.naming.pojo.Instance written = new com.alibaba.nacos.api.naming.pojo.Instance();
        written.setIp(instance.host());
        written.setPort(instance.port());
        written.setWeight(weights.toNacos(instance.weight()));
        written.setClusterName(cluster);
        written.setEphemeral(true);
        written.setMetadata(metadata);
        return written;
    }

    /**
     * Reads an instance. Its weight is the one that Nacos tells, which operators may have changed.
     *
     * @param service the name of the service here
     * @throws IllegalArgumentException if it can not be understood
     */
    Instance read(String service, com.alibaba.nacos.api.naming.pojo.Instance found) {
        Map<String, String> metadata = withoutNulls(found.getMetadata());
        String id = metadata.remove(ID);
        if (SOURCE.equals(metadata.get(PreservedMetadataKeys.REGISTER_SOURCE)) && id != null) {
            metadata.remove(PreservedMetadataKeys.REGISTER_SOURCE);
        }
        int weight = weights.fromNacos(found.getWeight());
        if (weight != Instance.weightOf(metadata)) {
            metadata.put(Instance.WEIGHT, Integer.toString(weight));
        }
        String host = host(found.getIp());
        String otherId = service + "-" + host + "-" + found.getPort();
        return new Instance(
                id == null || id.isBlank() ? otherId : id,
                service,
                host,
                found.getPort(),
                Boolean.parseBoolean(metadata.get(SECURE)),
                metadata);
    }

    private static Map<String, String> withoutNulls(@Nullable Map<String, @Nullable String> metadata) {
        Map<String, String> texts = new HashMap<>();
        if (metadata != null) {
            metadata.forEach((key, value) -> {
                if (key != null && value != null) {
                    texts.put(key, value);
                }
            });
        }
        return texts;
    }

    private static String host(@Nullable String ip) {
        if (ip == null) {
            throw new IllegalArgumentException("no address");
        }
        return ip.startsWith("[") && ip.endsWith("]") ? ip.substring(1, ip.length() - 1) : ip;
    }
}
