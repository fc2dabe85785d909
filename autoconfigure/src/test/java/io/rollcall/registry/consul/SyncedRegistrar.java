package io.rollcall.registry.consul;

import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Registrar;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/** Waits after every change until the servers know what the agent knows: a real agent tells them a moment later. */
final class SyncedRegistrar implements Registrar {

    private final Registrar registrar;

    private final ConsulServer server;

    private final Json json = new Json();

    SyncedRegistrar(Registrar registrar, ConsulServer server) {
        this.registrar = registrar;
        this.server = server;
    }

    @Override
    public void checkServiceName(String service) {
        registrar.checkServiceName(service);
    }

    @Override
    public void join(Instance instance) throws Exception {
        registrar.join(instance);
        await().until(() -> agent(instance.service()).equals(catalog(instance.service())));
    }

    @Override
    public void leave(Instance instance) throws Exception {
        registrar.leave(instance);
        await().until(() -> agent(instance.service()).equals(catalog(instance.service())));
    }

    private Map<String, Object> agent(String service) {
        Map<String, Object> found = new TreeMap<>();
        json.readObject(get("/v1/agent/services"), 10_000_000).forEach((id, entry) -> {
            Map<String, Object> members = JsonObjects.object(entry);
            if (service.equals(members.get("Service"))) {
                String status = Objects.toString(
                        json.readObject(get("/v1/agent/health/service/id/" + ConsulServer.encode(id)), 1_000_000)
                                .get("AggregatedStatus"));
                found.put(id, status + JsonObjects.texts(members.get("Meta")));
            }
        });
        return found;
    }

    private Map<String, Object> catalog(String service) {
        Map<String, Object> found = new TreeMap<>();
        json.readArray(get("/v1/health/service/" + ConsulServer.encode(service)), 10_000_000)
                .forEach(entry -> {
                    Map<String, Object> members = JsonObjects.object(entry);
                    Map<String, Object> registered = JsonObjects.object(members.get("Service"));
                    boolean critical = JsonObjects.array(members.get("Checks")).stream()
                            .anyMatch(check ->
                                    "critical".equals(JsonObjects.object(check).get("Status")));
                    found.put(
                            Objects.toString(registered.get("ID")),
                            (critical ? "critical" : "passing") + JsonObjects.texts(registered.get("Meta")));
                });
        return found;
    }

    private byte[] get(String path) {
        return server.send("GET", path, null).body().getBytes(StandardCharsets.UTF_8);
    }
}
