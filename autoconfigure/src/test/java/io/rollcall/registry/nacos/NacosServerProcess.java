package io.rollcall.registry.nacos;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.servers.ChildServer;
import io.rollcall.servers.Ports;
import io.rollcall.servers.Requirements;
import io.rollcall.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A real server in a process of its own. It takes seconds to start: tests share one, unless they need one with a difference. */
public final class NacosServerProcess extends ChildServer {

    /** From the main port: the cluster's log, clients, other servers. */
    private static final int[] FURTHER_PORTS = {-1000, 1000, 1001};

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final List<String> options;

    /**
     * @param options system properties beside the usual ones, such as {@code -Da=b}
     */
    public NacosServerProcess(String... options) {
        super("nacos", Ports.reserve(FURTHER_PORTS));
        this.options = List.of(options);
    }

    /** The one that tests of this process share, which runs and holds nothing that the caller knows of. */
    public static NacosServerProcess shared() {
        return Shared.SERVER;
    }

    private static final class Shared {

        private static final NacosServerProcess SERVER =
                new NacosServerProcess("-Dnacos.naming.push.pushTaskDelay=100");

        static {
            SERVER.start();
            Runtime.getRuntime().addShutdownHook(new Thread(SERVER::close));
        }
    }

    @Override
    protected ServerProcess launch() {
        String home = directory().toString();
        List<String> arguments = new ArrayList<>(List.of(
                "-Dnacos.standalone=true",
                "-Dnacos.functionMode=naming",
                "-Dnacos.home=" + home,
                "-Duser.home=" + home,
                "-Dnacos.inetutils.ip-address=127.0.0.1",
                "-Dserver.port=" + port(),
                "-Dserver.address=127.0.0.1",
                "-Dserver.servlet.context-path=/nacos",
                "-Dserver.tomcat.basedir=" + home,
                "-Dserver.tomcat.accesslog.enabled=false",
                "-Dspring.main.allow-circular-references=true",
                "-Dspring.jmx.enabled=false",
                "-Dspring.main.banner-mode=off"));
        arguments.addAll(options);
        arguments.add("io.rollcall.servers.nacos.NacosServer");
        String classPath = Requirements.serverModule("nacos");
        try {
            Files.deleteIfExists(directory().resolve("log"));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        return ServerProcess.start(
                directory(), ServerProcess.java(classPath, arguments.toArray(String[]::new)), this::isReady);
    }

    private boolean isReady() throws Exception {
        if (!Files.readString(directory().resolve("log")).contains("Nacos is ready")) {
            return false;
        }
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port() + 1000), 1000);
        }
        return http("GET", "/v1/ns/operator/metrics", Map.of()).contains("\"UP\"") && admits();
    }

    /** On a busy machine it tells clients at first that it does not know their connections yet. */
    private boolean admits() throws Exception {
        try (NacosRegistries registries = new NacosRegistries()) {
            NacosRegistries.registrar(registries.open(url()))
                    .join(new Instance("first", "first", "127.0.0.1", 1, false, Map.of()));
        } catch (RefusedException ex) {
            // It wants a login, so it admits those who have one.
        }
        return true;
    }

    /**
     * Asks the server by HTTP, as operators do.
     *
     * @return the body
     */
    public String http(String method, String path, Map<String, String> parameters) {
        String query = parameters.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + URLEncoder.encode(entry.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://" + address() + "/nacos" + path + "?" + query))
                .method(method, BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30))
                .build();
        try {
            HttpResponse<String> response = HTTP.send(request, BodyHandlers.ofString());
            if (response.statusCode() != 200) {
                throw new IOException(response.statusCode() + " " + response.body());
            }
            return response.body();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Ephemeral instances live in its memory, and as long as the connections of their clients: these end. */
    @Override
    public void wipe() {
        if (isRunning()) {
            http("POST", "/test/disconnect", Map.of());
        }
    }
}
