package io.rollcall.registry.consul;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.rollcall.registry.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.json.JsonWriter;

/**
 * Answers as a Consul agent of version 1.10 in its development mode did when it was recorded; {@code StandInTests} compares. What is
 * not recorded, {@code agent/health/service/id} and the limits of weights, is as Consul's documentation says. What begins with {@code
 * /stand-in/} makes it misbehave. A program, so that it can be paused and killed.
 */
public final class ConsulStandIn {

    private static final int MAX_BODY = 4_000_000;

    private final StandInCatalog catalog = new StandInCatalog();

    private final Json json = new Json();

    private final Queue<String> requests = new ConcurrentLinkedQueue<>();

    private final AtomicInteger open = new AtomicInteger();

    /** How many requests there were at most at the same time. */
    private final AtomicInteger most = new AtomicInteger();

    private final String token;

    private volatile Fault fault;

    /** What is answered instead to requests whose line contains a text. */
    private record Fault(String containing, int status, String body) {}

    private ConsulStandIn(String token) {
        this.token = token;
    }

    /** @param arguments port, milliseconds of a minute, token or none */
    public static void main(String[] arguments) throws IOException {
        ConsulStandIn standIn = new ConsulStandIn(arguments.length > 2 ? arguments[2] : null);
        new StandInChecker(standIn.catalog, Long.parseLong(arguments[1])).start();
        HttpServer server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0])), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        server.createContext("/", standIn::handle);
        server.start();
    }

    private void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        Map<String, String> query = query(exchange.getRequestURI().getRawQuery());
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        try {
            if (path.startsWith("/stand-in/")) {
                control(exchange, path.substring("/stand-in/".length()), query, body);
                return;
            }
            requests.add(line);
            most.accumulateAndGet(open.incrementAndGet(), Math::max);
            exchange.getResponseHeaders().set("X-Consul-Default-Acl-Policy", "allow");
            Fault current = fault;
            if (current != null && line.contains(current.containing)) {
                text(exchange, current.status, current.body);
            } else if (token != null
                    && !token.equals(exchange.getRequestHeaders().getFirst("X-Consul-Token"))) {
                text(exchange, 403, "Permission denied");
            } else if (path.contains("//") || path.contains("/../") || path.endsWith("/..")) {
                exchange.getResponseHeaders().set("Location", "/");
                send(exchange, 301, null, "");
            } else {
                answer(exchange, path, query, body);
            }
        } catch (InterruptedException ex) {
            throw new IOException(ex);
        } catch (RuntimeException ex) {
            ex.printStackTrace();
            text(exchange, 500, ex.toString());
        } finally {
            if (!path.startsWith("/stand-in/")) {
                open.decrementAndGet();
            }
            exchange.close();
        }
    }

    private void answer(HttpExchange exchange, String path, Map<String, String> query, byte[] body)
            throws IOException, InterruptedException {
        if (path.startsWith("/v1/health/service/")) {
            long after = Long.parseLong(query.getOrDefault("index", "0"));
            indexed(
                    exchange,
                    catalog.health(
                            rest(path, "/v1/health/service/"),
                            query.containsKey("passing")
                                    && !query.get("passing").equals("false"),
                            query.get("tag"),
                            after,
                            StandInCheck.Durations.millis(query.getOrDefault("wait", "5m"))),
                    after > 0);
        } else if (path.equals("/v1/catalog/services")) {
            indexed(exchange, catalog.names(), false);
        } else if (path.equals("/v1/agent/services")) {
            json(exchange, 200, catalog.agentServices());
        } else if (path.startsWith("/v1/agent/health/service/id/")) {
            Map.Entry<String, Map<String, Object>> found =
                    catalog.agentHealth(rest(path, "/v1/agent/health/service/id/"));
            if (found == null) {
                Map<String, Object> nothing = new HashMap<>();
                nothing.put("AggregatedStatus", "critical");
                nothing.put("Service", null);
                nothing.put("Checks", null);
                json(exchange, 404, nothing);
            } else {
                json(
                        exchange,
                        Map.of("passing", 200, "warning", 429).getOrDefault(found.getKey(), 503),
                        found.getValue());
            }
        } else if (path.equals("/v1/agent/service/register")) {
            register(exchange, query, body);
        } else if (path.startsWith("/v1/agent/service/deregister/")) {
            catalog.deregister(rest(path, "/v1/agent/service/deregister/"));
            send(exchange, 200, null, "");
        } else if (path.startsWith("/v1/agent/check/pass/")) {
            String check = rest(path, "/v1/agent/check/pass/");
            if (catalog.pass(check)) {
                send(exchange, 200, null, "");
            } else {
                text(exchange, 500, "CheckID \"" + check + "\" does not have associated TTL");
            }
        } else if (path.startsWith("/v1/agent/service/maintenance/")) {
            boolean known = catalog.maintain(
                    rest(path, "/v1/agent/service/maintenance/"),
                    Boolean.parseBoolean(query.get("enable")),
                    query.getOrDefault("reason", ""));
            send(exchange, known ? 200 : 404, null, "");
        } else if (path.equals("/v1/status/leader")) {
            send(exchange, 200, "application/json", "\"127.0.0.1:8300\"");
        } else {
            text(exchange, 404, "");
        }
    }

    private static String rest(String path, String prefix) {
        return path.substring(prefix.length());
    }

    private void register(HttpExchange exchange, Map<String, String> query, byte[] body) throws IOException {
        Map<String, Object> definition;
        try {
            definition = JsonObjects.object(json.readObject(body, MAX_BODY));
        } catch (IllegalArgumentException ex) {
            text(
                    exchange,
                    400,
                    "Request decode failed: invalid character '" + (char) body[1]
                            + "' looking for beginning of object key string");
            return;
        }
        String problem = StandInValidation.problem(definition);
        if (problem != null) {
            text(exchange, 400, problem);
            return;
        }
        catalog.register(definition, query.containsKey("replace-existing-checks"));
        send(exchange, 200, null, "");
    }

    private void control(HttpExchange exchange, String command, Map<String, String> query, byte[] body)
            throws IOException {
        switch (command) {
            case "requests" -> {
                String lines = String.join("\n", requests);
                if (exchange.getRequestMethod().equals("DELETE")) {
                    requests.clear();
                }
                text(exchange, 200, lines);
            }
            case "most" -> text(exchange, 200, Integer.toString(most.getAndSet(0)));
            case "fault" -> {
                fault = exchange.getRequestMethod().equals("DELETE")
                        ? null
                        : new Fault(
                                query.get("containing"),
                                Integer.parseInt(query.get("status")),
                                new String(body, StandardCharsets.UTF_8));
                text(exchange, 200, "");
            }
            case "index" -> {
                catalog.disturb(query.get("service"), Long.parseLong(query.get("by")));
                text(exchange, 200, "");
            }
            case "plant" -> {
                catalog.plant(query.get("service"), json.readObject(body, MAX_BODY));
                text(exchange, 200, "");
            }
            default -> text(exchange, 404, "");
        }
    }

    private void indexed(HttpExchange exchange, StandInCatalog.Indexed answer, boolean waited) throws IOException {
        exchange.getResponseHeaders().set("X-Consul-Effective-Consistency", "leader");
        exchange.getResponseHeaders().set("X-Consul-Index", Long.toString(answer.index()));
        exchange.getResponseHeaders().set("X-Consul-Knownleader", waited ? "false" : "true");
        exchange.getResponseHeaders().set("X-Consul-Lastcontact", "0");
        exchange.getResponseHeaders().set("X-Consul-Query-Backend", waited ? "streaming" : "blocking-query");
        json(exchange, 200, answer.content());
    }

    private static void json(HttpExchange exchange, int status, Object content) throws IOException {
        send(exchange, status, "application/json", JsonWriter.standard().writeToString(content));
    }

    private static void text(HttpExchange exchange, int status, String body) throws IOException {
        send(exchange, status, "text/plain; charset=utf-8", body);
    }

    private static void send(HttpExchange exchange, int status, String type, String body) throws IOException {
        if (type != null) {
            exchange.getResponseHeaders().set("Content-Type", type);
        }
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
    }

    private static Map<String, String> query(String text) {
        Map<String, String> query = new HashMap<>();
        for (String pair : text == null ? List.<String>of() : List.of(text.split("&"))) {
            int equals = pair.indexOf('=');
            query.put(
                    equals < 0 ? pair : pair.substring(0, equals),
                    equals < 0 ? "" : URLDecoder.decode(pair.substring(equals + 1), StandardCharsets.UTF_8));
        }
        return query;
    }
}
