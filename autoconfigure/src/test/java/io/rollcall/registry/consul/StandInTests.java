package io.rollcall.registry.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Json;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.boot.json.JsonWriter;
import org.springframework.core.io.ClassPathResource;

/** The stand-in answers as a real agent did, request by request of what was recorded. */
class StandInTests {

    private static ConsulServer server;

    @BeforeAll
    static void start() {
        ConsulServer.skipIfReal("it stands in for itself");
        server = ConsulServer.running();
    }

    @AfterAll
    static void stop() {
        if (server != null) {
            server.close();
        }
    }

    private static List<Object> transcript() throws IOException {
        byte[] recorded = new ClassPathResource("transcript-1.10.json", StandInTests.class)
                .getInputStream()
                .readAllBytes();
        return new Json().readArray(recorded, 1_000_000);
    }

    @Test
    void answersAsTheRealAgentDid() throws Exception {
        int compared = 0;
        for (Object each : transcript()) {
            Map<String, Object> exchange = JsonObjects.object(each);
            String name = exchange.get("name").toString();
            if (name.equals("maintenance-on")) {
                awaitTheEndOfTheTtl();
            }
            Map<String, Object> request = JsonObjects.object(exchange.get("request"));
            compare(name, send(request), JsonObjects.object(exchange.get("response")));
            compared++;
        }
        assertThat(compared).isEqualTo(23);
    }

    /** As the recording went on after it. */
    private static void awaitTheEndOfTheTtl() {
        await().until(() -> server.send("GET", "/v1/health/service/user-service", null)
                .headers()
                .firstValue("X-Consul-Index")
                .orElseThrow()
                .equals("17"));
    }

    private static HttpResponse<String> send(Map<String, Object> request) {
        Object body = request.get("body");
        return server.send(
                request.get("method").toString(),
                request.get("path").toString(),
                body == null
                        ? null
                        : body instanceof String text
                                ? text
                                : JsonWriter.standard().writeToString(body));
    }

    private static void compare(String name, HttpResponse<String> actual, Map<String, Object> recorded) {
        assertThat(actual.statusCode()).as(name).isEqualTo(recorded.get("status"));
        JsonObjects.texts(recorded.get("headers"))
                .forEach((header, value) -> assertThat(actual.headers().firstValue(header))
                        .as(name + ": " + header)
                        .hasValue(value));
        Object body = recorded.get("body");
        if (name.equals("leader")) {
            assertThat(actual.body()).matches("\"127\\.0\\.0\\.1:\\d+\"");
        } else if (body instanceof String text) {
            assertThat(actual.body()).as(name).isEqualTo(text);
        } else if (body instanceof Map<?, ?> map) {
            assertThat(JsonParserFactory.getJsonParser().parseMap(actual.body()))
                    .as(name)
                    .isEqualTo(map);
        } else {
            assertThat(withoutNodeId(new Json().readArray(actual.body().getBytes(StandardCharsets.UTF_8), 1_000_000)))
                    .as(name)
                    .isEqualTo(withoutNodeId(JsonObjects.array(body)));
        }
    }

    /** Every agent has one of its own. */
    private static List<Object> withoutNodeId(List<?> entries) {
        return entries.stream()
                .map(entry -> {
                    Map<String, Object> members = JsonObjects.object(entry);
                    Map<String, Object> node = JsonObjects.object(members.get("Node"));
                    assertThat(node.remove("ID").toString()).hasSize(36);
                    members.put("Node", node);
                    return (Object) members;
                })
                .toList();
    }
}
