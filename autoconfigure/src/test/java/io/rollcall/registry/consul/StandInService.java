package io.rollcall.registry.consul;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A service instance of the stand-in, with its checks by id. Guarded by its catalog. */
final class StandInService {

    final String id;

    final String name;

    final Map<String, Object> definition;

    final TreeMap<String, StandInCheck> checks = new TreeMap<>();

    long createIndex;

    long modifyIndex;

    StandInService(String id, String name, Map<String, Object> definition) {
        this.id = id;
        this.name = name;
        this.definition = definition;
    }

    /** What identifies it to the catalog: the agent writes nothing there when it is registered again just so. */
    Map<String, Object> content() {
        Map<String, Object> content = new LinkedHashMap<>();
        content.put("ID", id);
        content.put("Service", name);
        Object tags = definition.get("Tags");
        content.put("Tags", tags == null ? List.of() : tags);
        String address = (String) definition.getOrDefault("Address", "");
        int port = ((Number) definition.getOrDefault("Port", 0)).intValue();
        content.put("Address", address);
        if (!address.isEmpty()) {
            Map<String, Object> tagged = Map.of("Address", address, "Port", port);
            content.put("TaggedAddresses", Map.of("lan_ipv4", tagged, "wan_ipv4", tagged));
        }
        Object meta = definition.get("Meta");
        content.put("Meta", meta == null ? Map.of() : meta);
        content.put("Port", port);
        Object weights = definition.get("Weights");
        content.put("Weights", weights == null ? Map.of("Passing", 1, "Warning", 1) : weights);
        content.put("EnableTagOverride", definition.getOrDefault("EnableTagOverride", false));
        return content;
    }

    Map<String, Object> agentView() {
        Map<String, Object> view = content();
        view.put("Datacenter", "dc1");
        return view;
    }

    Map<String, Object> catalogView() {
        Map<String, Object> view = content();
        view.put("Proxy", Map.of("Mode", "", "MeshGateway", Map.of(), "Expose", Map.of()));
        view.put("Connect", Map.of());
        view.put("CreateIndex", createIndex);
        view.put("ModifyIndex", modifyIndex);
        return view;
    }

    String worst() {
        List<String> all = checks.values().stream().map(check -> check.status).toList();
        return all.contains("critical") ? "critical" : all.contains("warning") ? "warning" : "passing";
    }
}
