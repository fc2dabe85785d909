package io.rollcall.registry.consul;

import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.RegistryHttp;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Speaks to the agent. Thread-safe. */
final class ConsulHttp {

    private final ConsulSettings settings;

    private final RegistryHttp client;

    private final Json json;

    ConsulHttp(ConsulSettings settings, RegistryHttp client, Json json) {
        this.settings = settings;
        this.client = client;
        this.json = json;
    }

    /**
     * One answer.
     *
     * @param status any
     * @param body empty if there is none
     * @param index the {@code X-Consul-Index}, or 0 if there is none
     * @param filtered whether entries were left out for a lack of rights
     */
    record Answer(int status, byte[] body, long index, boolean filtered) {

        boolean isOk() {
            return status >= 200 && status < 300;
        }
    }

    RegistryHttp client() {
        return client;
    }

    /** Sends a GET and waits for the answer, whatever its status. */
    Answer get(String path, Map<String, String> query) throws IOException, InterruptedException {
        return answer(client.call("GET", uri(path, query), null, settings.timeout()));
    }

    /** Sends a PUT and waits for the answer, whatever its status. */
    Answer put(String path, Map<String, String> query, @Nullable String body) throws IOException, InterruptedException {
        byte[] bytes = body == null ? null : body.getBytes(StandardCharsets.UTF_8);
        return answer(client.call("PUT", uri(path, query), bytes, settings.timeout()));
    }

    /** Sends a GET whose answer may take that long. Cancelling the future ends the exchange. */
    CompletableFuture<RegistryHttp.Answer> getLater(String path, Map<String, String> query, Duration patience) {
        return client.send("GET", uri(path, query), null, patience.plus(settings.timeout()));
    }

    static Answer answer(RegistryHttp.Answer answer) {
        Map<String, String> headers = answer.headers();
        return new Answer(
                answer.status(),
                answer.body(),
                QueryIndex.parse(headers.getOrDefault("x-consul-index", "")),
                Boolean.parseBoolean(headers.get("x-consul-results-filtered-by-acls")));
    }

    /** The failure that an answer is. Consul answers 403 for tokens without the right, and 401 comes from what is before it. */
    Exception failure(String what, Answer answer) {
        String message = message(what, answer);
        return answer.status() == 401 || answer.status() == 403
                ? new RefusedException(message)
                : new IOException(message);
    }

    String message(String what, Answer answer) {
        String line = firstLine(answer.body());
        return "Consul answers " + answer.status() + " to " + what + (line.isEmpty() ? "" : ": " + line);
    }

    String firstLine(byte[] body) {
        String text = new String(body, StandardCharsets.UTF_8).strip();
        String line = text.lines().findFirst().orElse("");
        if (settings.token() != null) {
            line = line.replace(settings.token(), "******");
        }
        return line.length() > 200 ? line.substring(0, 200) + "..." : line;
    }

    List<Object> array(byte[] body) throws IOException {
        try {
            return json.readArray(body, RegistryHttp.MAX_BYTES);
        } catch (IllegalArgumentException ex) {
            throw new IOException("Consul's answer is not what it should be: " + ex.getMessage(), ex);
        }
    }

    Map<String, Object> object(byte[] body) throws IOException {
        try {
            return json.readObject(body, RegistryHttp.MAX_BYTES);
        } catch (IllegalArgumentException ex) {
            throw new IOException("Consul's answer is not what it should be: " + ex.getMessage(), ex);
        }
    }

    private URI uri(String path, Map<String, String> query) {
        StringBuilder uri = new StringBuilder(settings.base().toString()).append(path);
        String separator = "?";
        for (Map<String, String> parameters : List.of(query, settings.query())) {
            for (Map.Entry<String, String> parameter : parameters.entrySet()) {
                uri.append(separator)
                        .append(parameter.getKey())
                        .append('=')
                        .append(ConsulNames.encode(parameter.getValue()));
                separator = "&";
            }
        }
        return URI.create(uri.toString());
    }
}
