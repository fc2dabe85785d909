package io.rollcall.registry.consul;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Consumer;

/** What the stand-in knows: one agent of one node with one server, and the index of every change. Thread-safe. */
final class StandInCatalog {

    static final String NODE = "n1";

    /** Of the recorded agent, before anything is registered. */
    private static final long FIRST_INDEX = 13;

    private final String nodeId = UUID.randomUUID().toString();

    private final TreeMap<String, StandInService> services = new TreeMap<>();

    private final Map<String, Long> indexes = new TreeMap<>();

    private final Map<String, List<Object>> planted = new TreeMap<>();

    private long index = FIRST_INDEX;

    private long servicesIndex = FIRST_INDEX;

    private long lastExtinction = FIRST_INDEX;

    private long disturbances;

    /** A list and the index that belongs to it. */
    record Indexed(long index, Object content) {}

    private void changed(StandInService service) {
        indexes.put(service.name, index);
        notifyAll();
    }

    synchronized void register(Map<String, Object> definition, boolean replaceChecks) {
        String name = (String) definition.get("Name");
        String id = (String) definition.getOrDefault("ID", name);
        StandInService service = new StandInService(id, name, definition);
        StandInService before = services.get(id);
        for (Object check : checks(definition)) {
            StandInCheck added = StandInCheck.of(id, name, JsonObjects.object(check));
            service.checks.put(added.id, added);
        }
        boolean same = before != null && before.content().equals(service.content());
        if (before != null) {
            before.checks.forEach((checkId, check) -> {
                StandInCheck again = service.checks.get(checkId);
                if (again != null) {
                    again.status = check.status;
                    again.output = check.output;
                    again.createIndex = check.createIndex;
                    again.modifyIndex = check.modifyIndex;
                    again.criticalSince = check.criticalSince;
                } else if (!replaceChecks) {
                    service.checks.put(checkId, check);
                }
            });
            same &= before.checks.keySet().equals(service.checks.keySet());
        }
        if (!same) {
            index++;
            servicesIndex = index;
        }
        service.createIndex = before == null ? index : before.createIndex;
        service.modifyIndex = same ? before.modifyIndex : index;
        service.checks.values().forEach(check -> {
            if (check.createIndex == 0) {
                check.createIndex = index;
                check.modifyIndex = index;
            }
        });
        services.put(id, service);
        if (!same) {
            changed(service);
        }
    }

    private static List<Object> checks(Map<String, Object> definition) {
        List<Object> checks = new ArrayList<>();
        if (definition.get("Check") != null) {
            checks.add(definition.get("Check"));
        }
        checks.addAll(JsonObjects.array(definition.get("Checks")));
        return checks;
    }

    synchronized void deregister(String id) {
        StandInService service = services.remove(id);
        if (service != null) {
            index++;
            servicesIndex = index;
            if (services.values().stream().anyMatch(other -> other.name.equals(service.name))) {
                changed(service);
            } else {
                indexes.remove(service.name);
                lastExtinction = index;
                notifyAll();
            }
        }
    }

    /** Whether there is such a check; changes nothing if it is no TTL check. */
    synchronized boolean pass(String checkId) {
        for (StandInService service : services.values()) {
            StandInCheck check = service.checks.get(checkId);
            if (check != null && check.type.equals("ttl")) {
                check.renewed = System.nanoTime();
                status(service, check, "passing", "");
                return true;
            }
        }
        return false;
    }

    /** Only another status is written to the catalog at once: other output alone is not. */
    private void status(StandInService service, StandInCheck check, String status, String output) {
        if (!check.status.equals(status)) {
            check.status = status;
            check.output = output;
            check.modifyIndex = ++index;
            check.criticalSince = System.nanoTime();
            changed(service);
        }
    }

    /** Sets the status that a check of the agent's has found, if it is still there. */
    synchronized void found(String serviceId, StandInCheck check, String status, String output) {
        StandInService service = services.get(serviceId);
        if (service != null && service.checks.get(check.id) == check) {
            status(service, check, status, output);
        }
    }

    synchronized boolean maintain(String id, boolean enable, String reason) {
        StandInService service = services.get(id);
        if (service == null) {
            return false;
        }
        String checkId = "_service_maintenance:" + id;
        if (enable && !service.checks.containsKey(checkId)) {
            StandInCheck check =
                    new StandInCheck(checkId, "Service Maintenance Mode", "maintenance", reason, "critical", Map.of());
            check.createIndex = ++index;
            check.modifyIndex = index;
            service.checks.put(checkId, check);
            changed(service);
        } else if (!enable && service.checks.remove(checkId) != null) {
            index++;
            changed(service);
        }
        return true;
    }

    synchronized void forEach(Consumer<StandInService> consumer) {
        List.copyOf(services.values()).forEach(consumer);
    }

    /** The instances of a service, after the wait if its index is not beyond the one given. */
    synchronized Indexed health(String name, boolean passing, String tag, long after, long waitMillis)
            throws InterruptedException {
        long end = System.nanoTime() + waitMillis * 1_000_000;
        long seen = disturbances;
        while (after > 0 && serviceIndex(name) <= after && disturbances == seen) {
            long left = (end - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                break;
            }
            wait(left);
        }
        List<Object> found = new ArrayList<>();
        for (StandInService service : services.values()) {
            boolean tagged = tag == null
                    || JsonObjects.array(service.definition.get("Tags")).contains(tag);
            if (service.name.equals(name)
                    && tagged
                    && (!passing || service.worst().equals("passing"))) {
                found.add(entry(service));
            }
        }
        found.addAll(planted.getOrDefault(name, List.of()));
        return new Indexed(serviceIndex(name), found);
    }

    private long serviceIndex(String name) {
        return indexes.getOrDefault(name, lastExtinction);
    }

    private Map<String, Object> entry(StandInService service) {
        Map<String, Object> node = new LinkedHashMap<>();
        node.put("ID", nodeId);
        node.put("Node", NODE);
        node.put("Address", "127.0.0.1");
        node.put("Datacenter", "dc1");
        node.put(
                "TaggedAddresses",
                Map.of("lan", "127.0.0.1", "lan_ipv4", "127.0.0.1", "wan", "127.0.0.1", "wan_ipv4", "127.0.0.1"));
        node.put("Meta", Map.of("consul-network-segment", ""));
        node.put("CreateIndex", 11);
        node.put("ModifyIndex", 13);
        List<Object> checks = new ArrayList<>();
        StandInCheck serf = new StandInCheck("serfHealth", "Serf Health Status", "", "", "passing", Map.of());
        serf.output = "Agent alive and reachable";
        serf.createIndex = 11;
        serf.modifyIndex = 11;
        checks.add(serf.view(NODE, "", ""));
        service.checks.values().forEach(check -> checks.add(check.view(NODE, service.id, service.name)));
        return Map.of("Node", node, "Service", service.catalogView(), "Checks", checks);
    }

    synchronized Indexed names() {
        Map<String, Object> names = new TreeMap<>(Map.of("consul", List.of()));
        services.values()
                .forEach(service ->
                        names.put(service.name, Objects.requireNonNullElse(service.definition.get("Tags"), List.of())));
        return new Indexed(servicesIndex, names);
    }

    synchronized Map<String, Object> agentServices() {
        Map<String, Object> views = new TreeMap<>();
        services.forEach((id, service) -> views.put(id, service.agentView()));
        return views;
    }

    /** The status and view of one instance, or null. */
    synchronized Map.Entry<String, Map<String, Object>> agentHealth(String id) {
        StandInService service = services.get(id);
        if (service == null) {
            return null;
        }
        List<Object> checks = new ArrayList<>();
        service.checks.values().forEach(check -> checks.add(check.view(NODE, service.id, service.name)));
        return Map.entry(
                service.worst(),
                Map.of("AggregatedStatus", service.worst(), "Service", service.agentView(), "Checks", checks));
    }

    /** Moves a service's index though nothing changes, and wakes who waits. */
    synchronized void disturb(String name, long by) {
        index = Math.max(index, index + by);
        indexes.put(name, Math.max(1, serviceIndex(name) + by));
        disturbances++;
        notifyAll();
    }

    /** Adds an entry to a service's list as it is, which no agent would. */
    synchronized void plant(String name, Object entry) {
        planted.computeIfAbsent(name, key -> new ArrayList<>()).add(entry);
        indexes.put(name, ++index);
        notifyAll();
    }
}
