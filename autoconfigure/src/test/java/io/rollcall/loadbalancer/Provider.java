package io.rollcall.loadbalancer;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.cloud.client.DefaultServiceInstance;
import org.springframework.cloud.client.ServiceInstance;

/** An HTTP server on the loopback interface that behaves as told. */
final class Provider implements AutoCloseable {

    enum Behaviour {

        /** Answers 200 with the method and the body. */
        SERVE,

        /** Answers 503 with Rollcall's mark, without reading the body. */
        REFUSE,

        /** Answers 503 without the mark. */
        FAIL,

        /** Reads the request, then closes the connection. */
        BREAK,

        /** Reads the request, then sends it elsewhere on the same server, where it is served. */
        REDIRECT
    }

    static {
        // Otherwise each answer waits for the delayed acknowledgement of its head.
        System.setProperty("sun.net.httpserver.nodelay", "true");
    }

    private final HttpServer server;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final AtomicInteger requests = new AtomicInteger();

    private volatile Behaviour behaviour;

    private volatile Runnable onRequest = () -> {};

    Provider(Behaviour behaviour) {
        this(behaviour, 0);
    }

    Provider(Behaviour behaviour, int port) {
        this.behaviour = behaviour;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    int requests() {
        return requests.get();
    }

    /** Does something whenever a request has come, before it is answered. */
    void onRequest(Runnable action) {
        onRequest = action;
    }

    void behave(Behaviour behaviour) {
        this.behaviour = behaviour;
    }

    ServiceInstance instance() {
        int port = server.getAddress().getPort();
        return new DefaultServiceInstance("svc-127.0.0.1-" + port, "svc", "127.0.0.1", port, false);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        requests.incrementAndGet();
        onRequest.run();
        boolean moved = exchange.getRequestURI().getPath().equals("/moved");
        switch (moved ? Behaviour.SERVE : behaviour) {
            case SERVE -> {
                String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
                answer(exchange, 200, exchange.getRequestMethod() + " " + body);
            }
            case REFUSE -> {
                exchange.getResponseHeaders().set("X-Rollcall-Rejected", "max-concurrency");
                exchange.getResponseHeaders().set("Retry-After", "0");
                answer(exchange, 503, "full");
            }
            case FAIL -> answer(exchange, 503, "broken");
            case BREAK -> {
                exchange.getRequestBody().readAllBytes();
                exchange.close();
            }
            case REDIRECT -> {
                exchange.getRequestBody().readAllBytes();
                exchange.getResponseHeaders().set("Location", "/moved");
                answer(exchange, 307, "moved");
            }
        }
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
