package io.rollcall.registry.consul;

import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.consul.ConsulHttp.Answer;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The calls to the agent that registers. */
final class AgentApi {

    private static final int NOT_FOUND = 404;

    private static final int BAD_REQUEST = 400;

    private static final int NO_SUCH_CHECK = 500;

    private final ConsulHttp http;

    private final Json json;

    AgentApi(ConsulHttp http, Json json) {
        this.http = http;
        this.json = json;
    }

    /**
     * What the agent knows of an instance.
     *
     * @param entry its service definition
     * @param checkStatus the status of its check of that id, or null if there is none
     */
    record Registered(Map<String, Object> entry, @Nullable String checkStatus) {

        String owner() {
            return JsonObjects.texts(entry.get("Meta")).getOrDefault(EntryWriter.OWNER, "");
        }
    }

    /** What it knows of an instance and the instance's check, or null if it does not know it. */
    @Nullable
    Registered find(String id, String check) throws Exception {
        Answer answer = http.get("/v1/agent/health/service/id/" + ConsulNames.encode(id), Map.of());
        if (answer.status() == NOT_FOUND) {
            return null;
        }
        // The status tells the instance's health, 429 or 503 among others, so that only the body tells whether it is an
        // answer.
        Map<String, Object> entry;
        Map<String, Object> body;
        try {
            body = json.readObject(answer.body());
            entry = JsonObjects.object(body.get("Service"));
        } catch (IllegalArgumentException ex) {
            throw http.failure("a look at " + id, answer);
        }
        if (entry.isEmpty()) {
            throw http.failure("a look at " + id, answer);
        }
        String status = JsonObjects.array(body.get("Checks")).stream()
                .map(JsonObjects::object)
                .filter(each -> check.equals(Json.text(each, "CheckID")))
                .map(each -> each.getOrDefault("Status", "critical").toString())
                .findFirst()
                .orElse(null);
        return new Registered(entry, status);
    }

    /** All instances that the agent knows, by id. */
    Map<String, Object> all() throws Exception {
        Answer answer = http.get("/v1/agent/services", Map.of());
        check(answer, "a list of its services");
        return http.object(answer.body());
    }

    /**
     * Adds an instance, or replaces it.
     *
     * @param replaceChecks whether checks go that the definition does not name
     */
    void register(Map<String, Object> definition, boolean replaceChecks) throws Exception {
        Answer answer = http.put(
                "/v1/agent/service/register",
                replaceChecks ? Map.of("replace-existing-checks", "true") : Map.of(),
                json.write(definition));
        if (answer.status() == BAD_REQUEST) {
            throw new RefusedException(http.message("a registration", answer));
        }
        check(answer, "a registration");
    }

    /** Removes an instance, if it is there. */
    void deregister(String id) throws Exception {
        Answer answer = http.put("/v1/agent/service/deregister/" + ConsulNames.encode(id), Map.of(), null);
        if (answer.status() != NOT_FOUND) {
            check(answer, "a deregistration");
        }
    }

    /** Says that an instance lives, and returns whether the agent has such a check. */
    boolean pass(String check) throws Exception {
        Answer answer = http.put("/v1/agent/check/pass/" + ConsulNames.encode(check), Map.of(), null);
        if (answer.status() == NOT_FOUND
                || answer.status() == NO_SUCH_CHECK
                        && http.firstLine(answer.body()).contains("CheckID")) {
            return false;
        }
        check(answer, "a renewal");
        return true;
    }

    private void check(Answer answer, String what) throws Exception {
        if (!answer.isOk()) {
            throw http.failure(what, answer);
        }
    }
}
