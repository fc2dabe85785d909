package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The only permit is taken: what do others get, on every server? */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RefusalContract {

    private TestApplication application;

    private RawHttp holder;

    /** Starts the server with these properties. */
    abstract TestApplication start(String... properties);

    /** How many error pages the application has shown. */
    abstract int errorPages();

    /** After the refusal of an HTTP/1.1 request the connection has either ended or serves the next one. */
    abstract void assertOver(RawHttp http) throws IOException;

    @BeforeAll
    void start() {
        application = start(
                "rollcall.max-concurrency=1",
                "rollcall.concurrency.exempt-paths=/plain",
                "server.http2.enabled=true",
                "management.endpoint.health.probes.add-additional-paths=true");
    }

    @AfterAll
    void stop() {
        application.close();
    }

    TestApplication application() {
        return application;
    }

    @BeforeEach
    void takeThePermit() throws IOException {
        holder = application.connect();
        holder.send("GET /hold");
        await().until(() -> held().running.get() == 1);
    }

    @AfterEach
    void giveThePermitBack() throws IOException {
        held().letGo();
        assertThat(holder.read(false).status()).isEqualTo(200);
        holder.close();
        await().until(() -> application.inFlight() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /missing", "HEAD /missing", "DELETE /forward", "OPTIONS /forward"})
    void refusesWithoutAnErrorPage(String request) throws IOException {
        long rejected = application.gate().rejected();
        int before = errorPages();
        try (RawHttp http = application.connect()) {
            assertRefused(http.exchange(request));
            assertOver(http);
        }
        assertThat(errorPages()).isEqualTo(before);
        assertThat(application.gate().rejected()).isEqualTo(rejected + 1);
    }

    @Test
    void refusesBeforeTheBodyHasArrived() throws IOException {
        try (RawHttp http = application.connect()) {
            http.send("POST /echo", "Content-Type: text/plain", "Content-Length: 1000");
            assertRefused(http.read(false));
            http.write("x".repeat(1000));
            assertOver(http);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100000", "Transfer-Encoding: chunked"})
    void leavesTheConnectionCleanAfterARefusedBody(String length) throws IOException {
        String body = "x".repeat(100_000);
        try (RawHttp http = application.connect()) {
            http.send("POST /echo", "Content-Type: text/plain", length);
            http.write(length.endsWith("chunked") ? "186a0\r\n" + body + "\r\n0\r\n\r\n" : body);
            assertRefused(http.read(false));
            assertOver(http);
        }
    }

    @Test
    void refusesStreamsOfOneHttp2Connection() throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        HttpRequest get = HttpRequest.newBuilder(uri("/missing")).build();
        HttpRequest post = HttpRequest.newBuilder(uri("/echo"))
                .POST(HttpRequest.BodyPublishers.ofString("x".repeat(10_000)))
                .build();
        for (HttpRequest request : new HttpRequest[] {get, post, get}) {
            HttpResponse<String> response = client.send(request, HttpResponse.BodyHandlers.ofString());
            assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
            assertThat(response.statusCode()).isEqualTo(503);
            assertThat(response.headers().firstValue(Refusal.MARKER_HEADER)).contains(Refusal.MARKER);
            assertThat(response.body()).isEmpty();
        }
        HttpRequest exempt = HttpRequest.newBuilder(uri("/plain")).build();
        assertThat(client.send(exempt, HttpResponse.BodyHandlers.ofString()).body())
                .isEqualTo("plain");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/actuator", "/actuator/health", "/actuator/metrics", "/livez", "/readyz", "/plain", "/%70lain"})
    void neverRefusesExemptPaths(String path) throws IOException {
        for (int i = 0; i < 100; i++) {
            // A connection each: Reactor Netty 1.3.6 at times loses the answer to a request that comes quickly after
            // another.
            assertThat(application.exchange("GET " + path).status()).isEqualTo(200);
        }
        assertThat(application.inFlight()).isEqualTo(1);
    }

    static void assertRefused(RawHttp.Response response) {
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.header("Retry-After")).isEqualTo("0");
        assertThat(response.header("X-Rollcall-Rejected")).isEqualTo("max-concurrency");
        assertThat(response.header("Content-Length")).isEqualTo("0");
    }

    private URI uri(String path) {
        return URI.create("http://localhost:" + application.port() + path);
    }

    private Held held() {
        return application.context().getBean(Held.class);
    }
}
