package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** One permit for all: whatever is lost makes the next request fail. */
abstract class ServletPermitContract {

    static TestApplication application;

    /** Containers differ in whether a request's error page is a part of it. */
    abstract int inFlightDuringTheErrorPage();

    @BeforeAll
    static void start() {
        application = TestApplication.onServlet(TomcatTestConfiguration.class, "rollcall.max-concurrency=1");
        // The first request of all may take longer than a client waits, where others use the processors, too.
        await().atMost(Duration.ofMinutes(2))
                .ignoreException(SocketTimeoutException.class)
                .until(() -> application.exchange("GET /plain").status() == 200);
    }

    @AfterAll
    static void stop() {
        application.close();
    }

    @AfterEach
    void nothingIsLeftInFlight() {
        held().letGo();
        await().until(() -> application.inFlight() == 0 && application.longLived() == 0);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/plain",
                "/missing",
                "/forward",
                "/include",
                "/callable",
                "/web-async-task",
                "/deferred",
                "/streaming",
                "/emitter",
                "/rounds"
            })
    void givesThePermitBackAfterAnAnswer(String path) throws IOException {
        for (int i = 0; i < 3; i++) {
            assertThat(application.exchange("GET " + path).status()).isIn(200, 404, 500);
            await().until(() -> application.inFlight() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/send-error",
                "/fail?what=runtime",
                "/fail?what=checked",
                "/fail?what=assertion",
                "/fail?what=linkage",
                "/fail?what=memory",
                "/callable?what=runtime",
                "/callable?what=assertion",
                "/deferred-never?timeout=20",
                "/plain runtime",
                "/plain checked",
                "/plain assertion",
                "/plain linkage",
                "/plain memory",
                "/emitter?fail=true"
            })
    void givesThePermitBackAfterAFailure(String request) throws IOException {
        String[] pathAndFilter = request.split(" ");
        for (int i = 0; i < 3; i++) {
            try {
                String[] headers =
                        pathAndFilter.length > 1 ? new String[] {"X-Throw: " + pathAndFilter[1]} : new String[0];
                RawHttp.Response response = application.exchange("GET " + pathAndFilter[0], headers);
                assertThat(response.header(Refusal.MARKER_HEADER)).isNull();
            } catch (EOFException | SocketException closedByTheServer) {
                assertThat(request).matches(".*(memory|fail=true)");
            }
            await().until(() -> application.inFlight() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/deferred-never?timeout=1500",
                "/streaming?size=100000000",
                "/blocking-stream?size=100000000",
                "/hold",
                "/deferred-hold"
            })
    void givesThePermitBackWhenTheClientIsGone(String path) throws IOException {
        RawHttp http = application.connect();
        http.send("GET " + path);
        await().until(() -> application.inFlight() == 1);
        http.abort();
        if (path.contains("hold")) {
            // Nobody tells the application, which works on, and with it the permit.
            await().until(() -> held().running.get() == 1);
            assertThat(application.inFlight()).isEqualTo(1);
            held().letGo();
        } else if (path.contains("never")) {
            // Tomcat does not watch idle connections of asynchronous requests; only the result or the time-out ends
            // them.
            assertThat(application.inFlight()).isEqualTo(1);
        }
        await().until(() -> application.inFlight() == 0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/fail?what=runtime", "/fail?what=assertion", "/send-error", "/callable?what=runtime"})
    void givesThePermitBackOnceThoughAnErrorPageFollows(String path) throws IOException {
        TomcatTestConfiguration.ErrorPage page = application.context().getBean(TomcatTestConfiguration.ErrorPage.class);
        page.inFlight = -1;
        assertThat(application.exchange("GET " + path).body()).isEqualTo("error page");
        assertThat(page.inFlight).isEqualTo(inFlightDuringTheErrorPage());
    }

    @ParameterizedTest
    @ValueSource(strings = {"/hold", "/deferred-hold"})
    void holdsThePermitUntilTheAnswer(String path) throws IOException {
        try (RawHttp http = application.connect()) {
            http.send("GET " + path);
            await().until(() -> held().running.get() == 1);
            assertThat(application.exchange("GET /plain").status()).isEqualTo(503);
            held().letGo();
            assertThat(http.read(false).body()).isEqualTo("held");
            await().until(() -> application.inFlight() == 0);
            assertThat(http.exchange("GET /plain").status()).isEqualTo(200);
        }
    }

    @Test
    void holdsThePermitWhileTheClientReadsSlowly() throws IOException {
        try (RawHttp http = application.connect()) {
            http.send("GET /streaming?size=50000000");
            assertThat(http.readStatus()).isEqualTo(200);
            assertThat(application.exchange("GET /plain").status()).isEqualTo(503);
        }
    }

    private static Held held() {
        return application.context().getBean(Held.class);
    }
}
