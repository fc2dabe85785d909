package io.rollcall.registry.eureka;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Predicate;
import javax.net.ssl.SSLContext;

/**
 * Stands before the real server as a gateway does: may ask for a user, speak TLS, hold back calls that then arrive although their
 * caller has gone, and refuse others.
 */
public final class GuardedServer implements AutoCloseable {

    private final HttpServer front;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final HttpClient client = HttpClient.newHttpClient();

    private final String target;

    private final List<String> requests = new CopyOnWriteArrayList<>();

    private final List<String> forwarded = new CopyOnWriteArrayList<>();

    private volatile Predicate<String> held = call -> false;

    private volatile CountDownLatch gate = new CountDownLatch(0);

    private volatile Predicate<String> forbidden = call -> false;

    private volatile String authorization;

    private GuardedServer(HttpServer front, EurekaServerProcess server) {
        this.front = front;
        this.target = "http://127.0.0.1:" + server.port();
        front.setExecutor(threads);
        front.createContext("/", this::handle);
        front.start();
    }

    public static GuardedServer before(EurekaServerProcess server) {
        try {
            return new GuardedServer(HttpServer.create(address(), 0), server);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    static GuardedServer before(EurekaServerProcess server, SSLContext tls) {
        try {
            HttpsServer front = HttpsServer.create(address(), 0);
            front.setHttpsConfigurator(new HttpsConfigurator(tls));
            return new GuardedServer(front, server);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static InetSocketAddress address() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** {@code 127.0.0.1:port}. */
    String address(String separator) {
        return "127.0.0.1" + separator + front.getAddress().getPort();
    }

    public String url() {
        return "eureka://" + address(":") + "/eureka";
    }

    /** From now on only requests with this header are let through. */
    public void require(String header) {
        authorization = header;
    }

    /** From now on requests are held back whose method and path, as in {@code PUT /eureka/apps}, satisfy this. */
    void hold(Predicate<String> calls) {
        gate = new CountDownLatch(1);
        held = calls;
    }

    /** What was held back arrives. */
    void release() {
        held = call -> false;
        gate.countDown();
    }

    /** From now on these are answered by 403. */
    void forbid(Predicate<String> calls) {
        forbidden = calls;
    }

    /** Methods and paths of the requests so far. */
    List<String> requests() {
        return requests;
    }

    /** Methods and paths of the requests that the server has answered. */
    List<String> forwarded() {
        return forwarded;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String call = exchange.getRequestMethod() + " " + exchange.getRequestURI();
            byte[] body = exchange.getRequestBody().readAllBytes();
            requests.add(call);
            if (authorization != null
                    && !authorization.equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"eureka\"");
                exchange.sendResponseHeaders(401, -1);
            } else if (forbidden.test(call)) {
                exchange.sendResponseHeaders(403, -1);
            } else {
                if (held.test(call)) {
                    gate.await();
                }
                HttpResponse<byte[]> answer = forward(exchange, body);
                forwarded.add(call);
                exchange.sendResponseHeaders(
                        answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
                exchange.getResponseBody().write(answer.body());
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    private HttpResponse<byte[]> forward(HttpExchange exchange, byte[] body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(target + exchange.getRequestURI()))
                .header("Accept", "application/json")
                .header("Content-Type", "application/json")
                .method(
                        exchange.getRequestMethod(),
                        body.length == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(body))
                .build();
        return client.send(request, BodyHandlers.ofByteArray());
    }

    @Override
    public void close() {
        front.stop(0);
        threads.shutdownNow();
    }
}
