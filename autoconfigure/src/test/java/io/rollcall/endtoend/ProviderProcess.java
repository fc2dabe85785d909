package io.rollcall.endtoend;

import io.rollcall.TestApplication;
import io.rollcall.servers.Ports;
import io.rollcall.servers.ServerProcess;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A provider in a process of its own, so that it can be stopped by a signal, killed and paused. It keeps its port. */
final class ProviderProcess implements AutoCloseable {

    private final String service;

    private final List<String> properties;

    private final int port = Ports.reserve();

    private ServerProcess process;

    private ProviderProcess(String service, List<String> properties) {
        this.service = service;
        this.properties = List.copyOf(properties);
    }

    /**
     * Starts a provider and waits until it answers calls.
     *
     * @param service the name it registers under
     * @param properties its further properties, each as {@code key=value}
     */
    static ProviderProcess start(String service, List<String> properties) {
        ProviderProcess provider = new ProviderProcess(service, properties);
        provider.start();
        return provider;
    }

    /** Starts some providers at the same time. */
    static List<ProviderProcess> start(String service, List<String> properties, int count) {
        List<ProviderProcess> providers = Stream.generate(() -> new ProviderProcess(service, properties))
                .limit(count)
                .toList();
        providers.parallelStream().forEach(ProviderProcess::start);
        return providers;
    }

    void start() {
        List<String> arguments =
                new ArrayList<>(List.of(ProviderProcess.class.getName(), service, "server.port=" + port));
        arguments.addAll(properties);
        process = ServerProcess.start(
                ServerProcess.directory("provider"),
                ServerProcess.java(ServerProcess.testClassPath(), arguments.toArray(String[]::new)),
                this::answers);
    }

    private boolean answers() throws Exception {
        HttpURLConnection connection = (HttpURLConnection)
                URI.create("http://127.0.0.1:" + port + "/port").toURL().openConnection();
        connection.setReadTimeout(5000);
        return connection.getResponseCode() == 200;
    }

    boolean isAlive() {
        return process.isAlive();
    }

    int port() {
        return port;
    }

    /** Asks it to stop, as SIGTERM does, and waits until it has. */
    void terminate() {
        process.terminate();
    }

    void kill() {
        process.kill();
    }

    void pause() {
        process.pause();
    }

    void resume() {
        process.resume();
    }

    @Override
    public void close() {
        kill();
    }

    public static void main(String[] arguments) {
        TestApplication.named(arguments[0])
                .shutdownHook()
                .with(ProviderController.class)
                .with(Arrays.copyOfRange(arguments, 1, arguments.length))
                .start();
    }
}
