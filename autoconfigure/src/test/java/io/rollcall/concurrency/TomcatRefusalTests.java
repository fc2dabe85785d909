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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The only permit is taken: what do others get? */
class TomcatRefusalTests {

    private static TestApplication application;

    private RawHttp holder;

    @BeforeAll
    static void start() {
        application = TestApplication.onServlet(
                TomcatTestConfiguration.class,
                "rollcall.max-concurrency=1",
                "rollcall.concurrency.exempt-paths=/plain",
                "server.http2.enabled=true",
                "management.endpoint.health.probes.add-additional-paths=true");
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @BeforeEach
    void takeThePermit() throws IOException {
        this.holder = application.connect();
        this.holder.send("GET /hold");
        await().until(() -> held().running.get() == 1);
    }

    @AfterEach
    void giveThePermitBack() throws IOException {
        held().letGo();
        assertThat(this.holder.read(false).status()).isEqualTo(200);
        this.holder.close();
        await().until(() -> application.inFlight() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"GET /missing", "HEAD /missing", "DELETE /forward", "OPTIONS /forward"})
    void refusesWithoutAnErrorPage(String request) throws IOException {
        long rejected = application.gate().rejected();
        int errorPages = errorPage().shown.get();
        try (RawHttp http = application.connect()) {
            assertRefused(http.exchange(request));
            assertThat(http.readByte()).isEqualTo(-1);
        }
        assertThat(errorPage().shown).hasValue(errorPages);
        assertThat(application.gate().rejected()).isEqualTo(rejected + 1);
    }

    @Test
    void refusesBeforeTheBodyHasArrived() throws IOException {
        try (RawHttp http = application.connect()) {
            http.send("POST /echo", "Content-Type: text/plain", "Content-Length: 1000");
            assertRefused(http.read(false));
            http.write("x".repeat(1000));
            assertThat(http.readByte()).isEqualTo(-1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 100000", "Transfer-Encoding: chunked"})
    void endsTheConnectionCleanlyAfterARefusedBody(String length) throws IOException {
        String body = "x".repeat(100_000);
        try (RawHttp http = application.connect()) {
            http.send("POST /echo", "Content-Type: text/plain", length);
            http.write(length.endsWith("chunked") ? "186a0\r\n" + body + "\r\n0\r\n\r\n" : body);
            assertRefused(http.read(false));
            assertThat(http.readByte()).isEqualTo(-1);
        }
    }

    @Test
    void refusesAClientThatAsksFirst() throws IOException {
        try (RawHttp http = application.connect()) {
            http.send("POST /echo", "Content-Type: text/plain", "Content-Length: 4", "Expect: 100-continue");
            assertRefused(http.read(false));
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
        try (RawHttp http = application.connect()) {
            for (int i = 0; i < 100; i++) {
                assertThat(http.exchange("GET " + path).status()).isEqualTo(200);
            }
        }
        assertThat(application.inFlight()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/../forward", "/actuatorx", "/plain/", "/plainx", "/actuator/..;/forward"})
    void isNotFooledIntoExemption(String path) throws IOException {
        assertThat(application.exchange("GET " + path).status()).isIn(400, 503);
    }

    private static void assertRefused(RawHttp.Response response) {
        assertThat(response.status()).isEqualTo(503);
        assertThat(response.header("Retry-After")).isEqualTo("0");
        assertThat(response.header("X-Rollcall-Rejected")).isEqualTo("max-concurrency");
        assertThat(response.header("Content-Length")).isEqualTo("0");
        // Tomcat ends every HTTP/1.1 connection after a 503.
        assertThat(response.header("Connection")).isEqualTo("close");
    }

    private static URI uri(String path) {
        return URI.create("http://localhost:" + application.port() + path);
    }

    private static TomcatTestConfiguration.ErrorPage errorPage() {
        return application.context().getBean(TomcatTestConfiguration.ErrorPage.class);
    }

    private static Held held() {
        return application.context().getBean(Held.class);
    }
}
