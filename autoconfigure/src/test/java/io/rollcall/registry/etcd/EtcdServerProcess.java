package io.rollcall.registry.etcd;

import io.rollcall.servers.ChildServer;
import io.rollcall.servers.Ports;
import io.rollcall.servers.Requirements;
import io.rollcall.servers.ServerProcess;
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

/** A real etcd in a process of its own, with the data that it had, until it is wiped. */
public final class EtcdServerProcess extends ChildServer {

    private final Path executable = Requirements.program("etcd", "install Debian's package etcd-server");

    private final int peerPort = Ports.reserve();

    private final List<String> arguments;

    private EtcdServerProcess(List<String> arguments) {
        super("etcd");
        this.arguments = arguments;
    }

    /** A server that is not started yet, but has its port. */
    public static EtcdServerProcess stopped(String... arguments) {
        return new EtcdServerProcess(List.of(arguments));
    }

    /** Starts a server. */
    public static EtcdServerProcess running(String... arguments) {
        EtcdServerProcess server = stopped(arguments);
        server.start();
        return server;
    }

    @Override
    protected ServerProcess launch() {
        String client = (tls() ? "https" : "http") + "://" + address();
        String peer = "http://127.0.0.1:" + peerPort;
        List<String> command = new ArrayList<>(List.of(
                executable.toString(),
                "--name=test",
                "--data-dir=" + directory().resolve("data"),
                "--logger=zap",
                "--log-level=info",
                "--heartbeat-interval=20",
                "--election-timeout=200",
                "--listen-client-urls=" + client,
                "--advertise-client-urls=" + client,
                "--listen-peer-urls=" + peer,
                "--initial-advertise-peer-urls=" + peer,
                "--initial-cluster=test=" + peer));
        command.addAll(arguments);
        return ServerProcess.start(directory(), command, this::isReady);
    }

    private boolean tls() {
        return arguments.stream().anyMatch(argument -> argument.startsWith("--cert-file"));
    }

    private boolean isReady() throws IOException, InterruptedException {
        if (tls()) {
            return Files.readString(directory().resolve("log")).contains("serving client traffic securely");
        }
        HttpRequest health = HttpRequest.newBuilder(URI.create("http://" + address() + "/health"))
                .timeout(Duration.ofSeconds(1))
                .build();
        return HttpClient.newHttpClient()
                .send(health, BodyHandlers.ofString())
                .body()
                .contains("true");
    }

    @Override
    public void wipe() {
        forget("data");
    }
}
