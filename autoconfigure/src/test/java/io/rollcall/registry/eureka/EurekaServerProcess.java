package io.rollcall.registry.eureka;

import io.rollcall.servers.ChildServer;
import io.rollcall.servers.Requirements;
import io.rollcall.servers.ServerProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/** The stock Eureka server of the module {@code test-servers/eureka}, in a process of its own. It keeps no data over a restart. */
public final class EurekaServerProcess extends ChildServer {

    /** A server that is not started yet, but has its port. */
    public EurekaServerProcess() {
        super("eureka");
    }

    /** The one of this JVM, which costs seconds to start: tests use services of their own, and leave it running and answering. */
    public static EurekaServerProcess shared() {
        return Shared.SERVER;
    }

    private static final class Shared {

        private static final EurekaServerProcess SERVER = new EurekaServerProcess();

        static {
            SERVER.start();
        }
    }

    /** Its base URL. */
    String http() {
        return "http://" + address() + "/eureka";
    }

    @Override
    public String url() {
        return super.url() + "/eureka";
    }

    @Override
    protected ServerProcess launch() {
        return ServerProcess.start(
                directory(),
                ServerProcess.java(
                        Requirements.serverModule("eureka"),
                        "-Dserver.port=" + port(),
                        "io.rollcall.servers.eureka.EurekaServer"),
                () -> send("GET", "/apps", null).contains("applications"));
    }

    /**
     * Makes a call as anybody might.
     *
     * @param path below the base URL
     * @param body JSON, or null
     * @return the answer's body
     */
    public String send(String method, String path, String body) {
        try {
            HttpRequest request = HttpRequest.newBuilder(URI.create(http() + path))
                    .timeout(Duration.ofSeconds(10))
                    .header("Accept", "application/json")
                    .header("Content-Type", "application/json")
                    .method(
                            method,
                            body == null
                                    ? HttpRequest.BodyPublishers.noBody()
                                    : HttpRequest.BodyPublishers.ofString(body))
                    .build();
            return HttpClient.newHttpClient()
                    .send(request, BodyHandlers.ofString())
                    .body();
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    @Override
    public void wipe() {
        if (isRunning()) {
            kill();
            start();
        }
    }
}
