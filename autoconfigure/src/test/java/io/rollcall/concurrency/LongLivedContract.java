package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Event streams and WebSockets have a budget of their own, on every server. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class LongLivedContract {

    private TestApplication application;

    /** Starts the server with these properties and a WebSocket at {@code /socket}. */
    abstract TestApplication start(String... properties) throws Exception;

    @BeforeAll
    void start() throws Exception {
        application = start("rollcall.max-concurrency=1", "rollcall.concurrency.long-lived=2");
    }

    @AfterAll
    void stop() {
        application.close();
    }

    @AfterEach
    void nothingIsLeftInFlight() {
        await().until(() -> application.inFlight() == 0 && application.longLived() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"text/event-stream", "*/*"})
    void countsEventStreamsApart(String accept) throws IOException {
        List<RawHttp> streams = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            RawHttp stream = application.connect();
            streams.add(stream);
            assertThat(stream.send("GET /events", "Accept: " + accept).readStatus())
                    .isEqualTo(200);
            await().until(() -> application.longLived() == streams.size() && application.inFlight() == 0);
        }
        assertThat(application.exchange("GET /plain").status()).isEqualTo(200);
        RawHttp.Response refused = application.exchange("GET /events", "Accept: text/event-stream");
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.header(Refusal.MARKER_HEADER)).isEqualTo(Refusal.MARKER);
        for (RawHttp stream : streams) {
            stream.abort();
        }
    }

    @Test
    void countsWebSocketsApart() throws Exception {
        List<WebSocket> sockets = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            sockets.add(HttpClient.newHttpClient()
                    .newWebSocketBuilder()
                    .buildAsync(
                            URI.create("ws://localhost:" + application.port() + "/socket"), new WebSocket.Listener() {})
                    .join());
            await().until(() -> application.longLived() == sockets.size());
        }
        assertThat(application.inFlight()).isZero();
        assertThat(application.exchange("GET /plain").status()).isEqualTo(200);
        sockets.get(0).sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        await().until(() -> application.longLived() == 1);
        sockets.get(1).abort();
    }

    @Test
    void noticesAWebSocketThatIsReset() throws IOException {
        RawHttp http = application.connect();
        http.send(
                "GET /socket",
                "Connection: Upgrade",
                "Upgrade: websocket",
                "Sec-WebSocket-Version: 13",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==");
        assertThat(http.readStatus()).isEqualTo(101);
        await().until(() -> application.longLived() == 1);
        http.abort();
    }
}
