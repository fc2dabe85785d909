package io.rollcall.registry.consul;

import io.rollcall.registry.Json;
import io.rollcall.servers.Ports;
import io.rollcall.servers.RegistryServer;
import io.rollcall.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.opentest4j.TestAbortedException;
import org.springframework.util.FileSystemUtils;

/**
 * A stand-in for a Consul agent, in a process of its own; or the real agent that {@code CONSUL_HTTP_ADDR} names, which can not be
 * paused, killed or made to misbehave: tests that want to are skipped then.
 */
public final class ConsulServer implements RegistryServer {

    private static final String REAL = System.getenv("CONSUL_HTTP_ADDR");

    private static final String MINUTE = "60000";

    private final HttpClient client = HttpClient.newHttpClient();

    private final int port = Ports.reserve();

    private final Path directory = ServerProcess.directory("consul");

    private final List<String> arguments;

    private ServerProcess process;

    public ConsulServer() {
        this(MINUTE);
    }

    private ConsulServer(String... arguments) {
        this.arguments = List.of(arguments);
    }

    /** One that is running. */
    public static ConsulServer running() {
        ConsulServer server = new ConsulServer();
        server.start();
        return server;
    }

    /** A running stand-in that removes critical instances after that many milliseconds for each minute. */
    static ConsulServer withMinutesOf(long millis) {
        skipIfReal("needs an agent that removes instances quicker than a real one");
        ConsulServer server = new ConsulServer(Long.toString(millis));
        server.start();
        return server;
    }

    /** A running stand-in that answers nobody without that token. */
    public static ConsulServer withToken(String token) {
        skipIfReal("needs an agent with a token of the test's own");
        ConsulServer server = new ConsulServer(MINUTE, token);
        server.start();
        return server;
    }

    static boolean isReal() {
        return REAL != null && !REAL.isBlank();
    }

    static void skipIfReal(String why) {
        if (isReal()) {
            throw new TestAbortedException("CONSUL_HTTP_ADDR names a real agent: " + why);
        }
    }

    @Override
    public String kind() {
        return "consul";
    }

    /** {@code host:port}. */
    public String address() {
        return isReal() ? REAL.replaceFirst("^https?://", "").replaceFirst("/$", "") : "127.0.0.1:" + port;
    }

    public int port() {
        return Integer.parseInt(address().substring(address().lastIndexOf(':') + 1));
    }

    @Override
    public String url() {
        return (isReal() && REAL.startsWith("https:") ? "consuls://" : "consul://") + address();
    }

    @Override
    public void start() {
        if (isReal()) {
            return;
        }
        String[] program = new String[arguments.size() + 2];
        program[0] = ConsulStandIn.class.getName();
        program[1] = Integer.toString(port);
        for (int i = 0; i < arguments.size(); i++) {
            program[i + 2] = arguments.get(i);
        }
        process = ServerProcess.start(
                directory,
                ServerProcess.java(ServerProcess.testClassPath(), program),
                () -> send("GET", "/stand-in/requests", null).statusCode() == 200);
    }

    @Override
    public void kill() {
        skipIfReal("it can not be killed");
        process.kill();
    }

    @Override
    public void pause() {
        skipIfReal("it can not be paused");
        process.pause();
    }

    @Override
    public void resume() {
        process.resume();
    }

    /** A real agent forgets the instances that the tests have registered. */
    @Override
    public void wipe() {
        if (isReal()) {
            removeOurs();
        } else if (process.isAlive()) {
            kill();
            start();
        }
    }

    private void removeOurs() {
        Map<String, Object> services = new Json()
                .readObject(
                        send("GET", "/v1/agent/services", null).body().getBytes(StandardCharsets.UTF_8), 10_000_000);
        services.forEach((id, service) -> {
            Map<String, Object> meta =
                    JsonObjects.object(JsonObjects.object(service).get("Meta"));
            if (meta.containsKey(EntryWriter.OWNER) || meta.containsKey("rollcall-test")) {
                send("PUT", "/v1/agent/service/deregister/" + encode(id), null);
            }
        });
    }

    @Override
    public void close() {
        if (isReal()) {
            removeOurs();
        } else if (process != null) {
            process.kill();
        }
        FileSystemUtils.deleteRecursively(directory.toFile());
    }

    /** Sends a request of the agent's API. */
    HttpResponse<String> send(String method, String path, String body) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://" + address() + path))
                .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (arguments.size() > 1) {
            request.header("X-Consul-Token", arguments.get(1));
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** The requests of the agent's API since the last time, each {@code METHOD /path?query}. */
    public List<String> takeRequests() {
        return send("DELETE", "/stand-in/requests", null)
                .body()
                .lines()
                .filter(line -> line.contains(" /v1/"))
                .toList();
    }

    /** How many requests of the agent's API there were at most at the same time since this was last asked. */
    int takeMostAtOnce() {
        return Integer.parseInt(send("GET", "/stand-in/most", null).body());
    }

    /** Answers so from now on to all requests whose line contains the text. */
    void answer(String containing, int status, String body) {
        send("PUT", "/stand-in/fault?status=" + status + "&containing=" + encode(containing), body);
    }

    /** Answers as it should again. */
    void answerRightly() {
        send("DELETE", "/stand-in/fault", null);
    }

    /** Moves a service's index though nothing changes. */
    void moveIndex(String service, long by) {
        send("PUT", "/stand-in/index?service=" + encode(service) + "&by=" + by, null);
    }

    /** Lists that entry as it is among those of a service. */
    public void plant(String service, String entry) {
        send("PUT", "/stand-in/plant?service=" + encode(service), entry);
    }

    static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
