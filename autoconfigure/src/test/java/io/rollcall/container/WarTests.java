package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.endtoend.AllServers;
import io.rollcall.registry.Instance;
import io.rollcall.servers.Ports;
import io.rollcall.servers.ServerProcess;
import java.io.File;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.util.FileSystemUtils;

/** A web archive in a Tomcat of its own process, in which no web server of Spring Boot's says what port it has bound. */
@Tag("resilience")
class WarTests {

    private static final int PORT = Ports.reserve();

    private static final Path DIRECTORY = ServerProcess.directory("tomcat");

    private static final List<String> REGISTRIES = List.of("redis", "zookeeper", "etcd", "consul");

    private static Observer observer;

    private static ServerProcess tomcat;

    @BeforeAll
    static void start() throws IOException {
        observer = new Observer(AllServers.properties(REGISTRIES));
        Path archive = archive();
        Path launcher = DIRECTORY.resolve("launcher");
        copyClasses("StandaloneTomcat", launcher);
        List<String> arguments = new ArrayList<>(List.of(
                "-Xmx512m",
                // As catalina.sh does, so that Tomcat can say what an application has left behind.
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--add-opens=java.base/java.io=ALL-UNNAMED",
                "--add-opens=java.base/java.util=ALL-UNNAMED",
                "--add-opens=java.base/java.util.concurrent=ALL-UNNAMED",
                "--add-opens=java.rmi/sun.rmi.transport=ALL-UNNAMED",
                StandaloneTomcat.class.getName(),
                DIRECTORY.toString(),
                Integer.toString(PORT),
                archive.toString(),
                "/shop?" + parameters("shop", AllServers.properties(REGISTRIES), "rollcall.ports.http.port=" + PORT),
                "/lost?" + parameters("lost", List.of(), "rollcall.registries.one.url=memory:")));
        tomcat = ServerProcess.start(
                DIRECTORY,
                ServerProcess.java(
                        launcher
                                + File.pathSeparator
                                + ClassPath.ofTests()
                                        .only(List.of("tomcat-embed-core", "tomcat-annotations", "jakarta.annotation")),
                        arguments.toArray(String[]::new)),
                () -> status("/lost/actuator/health") == 200 && status("/shop/actuator/health") == 200);
    }

    private static String parameters(String name, List<String> registries, String more) {
        List<String> all = new ArrayList<>(registries);
        all.addAll(List.of(
                "spring.application.name=" + name,
                "rollcall.registration.drain-wait=0s",
                "spring.cloud.inetutils.preferred-networks=127.0.0.1",
                "spring.main.banner-mode=off",
                more));
        return String.join("&", all);
    }

    /**
     * The application in the layout of an archive, which Tomcat takes as a directory too. It has no Redis connection of Spring Boot's, whose
     * Netty leaves something in the thread that deploys, with Rollcall or without.
     */
    private static Path archive() throws IOException {
        Path archive = DIRECTORY.resolve("application");
        Path classes = archive.resolve("WEB-INF/classes");
        Path libraries = Files.createDirectories(archive.resolve("WEB-INF/lib"));
        copyClasses("WarApplication", classes);
        for (Path entry : ClassPath.ofApplication()
                .without(List.of(
                        "tomcat-",
                        "jakarta.servlet",
                        "spring-boot-tomcat",
                        "spring-boot-starter-tomcat",
                        "spring-boot-data-redis",
                        "spring-boot-starter-data-redis",
                        "test-classes"))
                .entries()) {
            if (Files.isDirectory(entry)) {
                FileSystemUtils.copyRecursively(entry, classes);
            } else if (Files.exists(entry)) {
                Files.copy(entry, libraries.resolve(entry.getFileName()));
            }
        }
        return archive;
    }

    private static void copyClasses(String name, Path target) throws IOException {
        Path source = Path.of("target/test-classes/io/rollcall/container");
        Path copies = Files.createDirectories(target.resolve("io/rollcall/container"));
        try (Stream<Path> files = Files.list(source)) {
            for (Path file : files.filter(file -> file.getFileName().toString().startsWith(name))
                    .toList()) {
                Files.copy(file, copies.resolve(file.getFileName()));
            }
        }
    }

    @AfterAll
    static void stop() {
        tomcat.kill();
        observer.close();
        FileSystemUtils.deleteRecursively(DIRECTORY.toFile());
    }

    private static int status(String path) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.discarding())
                .statusCode();
    }

    private static String control(String query) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(uri("/control?" + query)).build(), BodyHandlers.ofString())
                .body();
    }

    private static URI uri(String path) {
        return URI.create("http://127.0.0.1:" + PORT + path);
    }

    @Test
    void registersTheConfiguredPortLeavesWhenUndeployedAndLeavesNothingBehind() throws Exception {
        await().atMost(Duration.ofSeconds(120))
                .until(() -> observer.listed("shop").values().stream().allMatch(instances -> instances.size() == 1));
        assertThat(observer.listed("shop").values())
                .allSatisfy(instances ->
                        assertThat(instances).extracting(Instance::port).containsExactly(PORT))
                .allSatisfy(instances -> assertThat(instances.get(0).metadata()).containsEntry("contextPath", "/shop"));

        assertThat(control("undeploy=/shop")).isEqualTo("undeployed");

        assertThat(observer.listsNoneAnywhere("shop")).isTrue();
        await().atMost(Duration.ofSeconds(120))
                .untilAsserted(() -> assertThat(control("threads")).isEmpty());
        await().atMost(Duration.ofSeconds(120))
                .untilAsserted(() -> assertThat(control("loader")).isEqualTo("collected"));
    }

    @Test
    void withoutAConfiguredPortSaysOnceWhatToSet() throws Exception {
        assertThat(observer.listsNoneAnywhere("lost")).isTrue();
        assertThat(Files.readAllLines(DIRECTORY.resolve("log")).stream()
                        .filter(line -> line.contains("Not registered")))
                .singleElement()
                .asString()
                .contains("ERROR", "[lost]", "rollcall.ports.http.port");
    }
}
