package io.rollcall.container;

import io.rollcall.servers.Ports;
import io.rollcall.servers.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.util.FileSystemUtils;

/** A {@link ChildApplication} in a process of its own, with a class path and a JDK of the test's choice. */
final class Child implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();

    private final int port = Ports.reserve();

    private final Path directory = ServerProcess.directory("child");

    private final List<String> options = new ArrayList<>();

    private final List<String> properties = new ArrayList<>(List.of(
            "server.port=" + port,
            "server.address=127.0.0.1",
            "spring.main.banner-mode=off",
            "management.health.redis.enabled=false",
            "rollcall.registration.drain-wait=0s"));

    private final String classPath;

    private Path java;

    private ServerProcess process;

    Child(String name, String classPath, List<String> properties) {
        this.classPath = classPath;
        this.properties.add("spring.application.name=" + name);
        this.properties.addAll(properties);
    }

    Child on(Path otherJava) {
        java = otherJava;
        return this;
    }

    Child with(String... moreOptions) {
        options.addAll(List.of(moreOptions));
        return this;
    }

    Child start() {
        List<String> arguments = new ArrayList<>(options);
        arguments.add(ChildApplication.class.getName());
        properties.forEach(property -> arguments.add("--" + property));
        List<String> command = ServerProcess.java(classPath, arguments.toArray(String[]::new));
        if (java != null) {
            command.set(0, java.toString());
        }
        process = ServerProcess.start(directory, command, () -> get("/thread").statusCode() == 200);
        return this;
    }

    Path directory() {
        return directory;
    }

    int port() {
        return port;
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return client.send(request(path).build(), BodyHandlers.ofString());
    }

    HttpResponse<String> post(String path, String json) throws IOException, InterruptedException {
        return client.send(
                request(path)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build(),
                BodyHandlers.ofString());
    }

    CompletableFuture<HttpResponse<String>> getLater(String path) {
        return client.sendAsync(request(path).build(), BodyHandlers.ofString());
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    /** What it has printed. */
    String output() throws IOException {
        return Files.readString(directory.resolve("log"));
    }

    /** Stops it as SIGTERM does, and waits for its end. */
    void terminate() {
        process.terminate();
    }

    @Override
    public void close() {
        if (process != null) {
            process.kill();
        }
        FileSystemUtils.deleteRecursively(directory.toFile());
    }
}
