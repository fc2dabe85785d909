package io.rollcall.servers;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.Assertions;
import org.awaitility.Awaitility;

/** A Spring Cloud application in a process of its own: the one of the module {@code test-servers/stock-clients}, on loopback. */
public final class SpringClient {

    private static final String MAIN = "io.rollcall.servers.stock.DrivenApplication";

    /** What makes each of the stock clients keep out. */
    private static final Map<String, String> SWITCHES = Map.of(
            "zookeeper", "spring.cloud.zookeeper.enabled",
            "consul", "spring.cloud.consul.enabled",
            "nacos", "spring.cloud.nacos.discovery.enabled",
            "eureka", "eureka.client.enabled");

    /** On a machine that is busy with other tests it takes many times the usual seconds. */
    private static final Duration START = Duration.ofMinutes(5);

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private SpringClient() {}

    /**
     * Starts one with a stock client, and without Rollcall on its class path; it registers and looks up.
     *
     * @param kind of the registry
     * @param address the registry's {@code host:port}
     * @param name the application's
     * @param more properties, each as {@code key=value}
     */
    public static ClientProcess stock(String kind, String address, String name, String... more) {
        List<String> properties = new ArrayList<>(List.of(of(kind, address)));
        SWITCHES.forEach((other, property) -> {
            if (!other.equals(kind)) {
                properties.add(property + "=false");
            }
        });
        properties.addAll(List.of(more));
        return start(Requirements.serverModule("stock-clients"), name, properties);
    }

    /**
     * Starts one with Rollcall, which does the same.
     *
     * @param url the registry's
     * @param name the application's
     */
    public static ClientProcess rollcall(String url, String name) {
        List<String> properties = new ArrayList<>(
                List.of("rollcall.registries.one.url=" + url, "spring.cloud.inetutils.default-ip-address=127.0.0.1"));
        SWITCHES.values().forEach(property -> properties.add(property + "=false"));
        String classes = Requirements.serverModule("stock-clients").split(File.pathSeparator)[0];
        return start(ServerProcess.testClassPath() + File.pathSeparator + classes, name, properties);
    }

    /**
     * Has it look a service up until it lists that many instances.
     *
     * @return the answer, for {@link #instances}
     */
    public static Map<String, Object> look(ClientProcess client, String service, int size) {
        AtomicReference<Map<String, Object>> answer = new AtomicReference<>(Map.of());
        Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
            client.forget();
            client.send("look " + service);
            answer.set(client.await(told -> service.equals(told.get("looked"))));
            Assertions.assertThat(instances(answer.get())).hasSize(size);
        });
        return answer.get();
    }

    /** What was listed: {@code id}, {@code uri}, {@code secure} and {@code metadata} of each instance. */
    @SuppressWarnings("unchecked")
    public static List<Map<String, Object>> instances(Map<String, Object> looked) {
        return (List<Map<String, Object>>) looked.get("instances");
    }

    /** The metadata of a listed instance. */
    @SuppressWarnings("unchecked")
    public static Map<String, String> metadata(Map<String, Object> instance) {
        return (Map<String, String>) instance.get("metadata");
    }

    private static String[] of(String kind, String address) {
        int colon = address.lastIndexOf(':');
        return switch (kind) {
            case "zookeeper" ->
                new String[] {
                    "spring.cloud.zookeeper.connect-string=" + address,
                    "spring.cloud.zookeeper.discovery.instance-host=127.0.0.1"
                };
            case "consul" ->
                new String[] {
                    "spring.cloud.consul.host=" + address.substring(0, colon),
                    "spring.cloud.consul.port=" + address.substring(colon + 1),
                    "spring.cloud.consul.config.enabled=false",
                    "spring.cloud.consul.discovery.prefer-ip-address=true",
                    "spring.cloud.consul.discovery.ip-address=127.0.0.1"
                };
            case "nacos" ->
                new String[] {
                    "spring.cloud.nacos.discovery.server-addr=" + address, "spring.cloud.nacos.discovery.ip=127.0.0.1"
                };
            case "eureka" ->
                new String[] {
                    "eureka.client.service-url.defaultZone=http://" + address + "/eureka/",
                    "eureka.instance.prefer-ip-address=true",
                    "eureka.instance.ip-address=127.0.0.1"
                };
            default -> throw new IllegalArgumentException(kind);
        };
    }

    private static ClientProcess start(String classPath, String name, List<String> properties) {
        Path home = ServerProcess.directory("spring-client");
        List<String> arguments = new ArrayList<>(List.of(
                "-Duser.home=" + home,
                "-DJM.SNAPSHOT.PATH=" + home,
                "-Dnacos.logging.default.config.enabled=false",
                MAIN,
                "--spring.application.name=" + name,
                "--server.port=0",
                "--server.address=127.0.0.1",
                "--spring.main.banner-mode=off",
                "--logging.level.root=warn"));
        properties.forEach(property -> arguments.add("--" + property));
        try {
            ClientProcess client = ClientProcess.start(
                    new ProcessBuilder(ServerProcess.java(classPath, arguments.toArray(String[]::new)))
                            .directory(home.toFile()));
            client.await(told -> told.containsKey("ready"), START);
            return client;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
