package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.springframework.boot.web.server.context.WebServerApplicationContext;

/** Settings that need an application of their own. */
class TomcatSettingsTests {

    @Test
    void refusesWithAStatusThatKeepsTheConnection() throws IOException {
        try (TestApplication application = start(
                        "rollcall.max-concurrency=1",
                        "rollcall.concurrency.status=429",
                        "rollcall.concurrency.retry-after=5s");
                RawHttp holder = hold(application);
                RawHttp http = application.connect()) {
            http.send("POST /echo", "Content-Type: text/plain", "Content-Length: 100000");
            http.write("x".repeat(100_000));
            RawHttp.Response refused = http.read(false);
            assertThat(refused.status()).isEqualTo(429);
            assertThat(refused.header("Retry-After")).isEqualTo("5");
            assertThat(http.exchange("GET /actuator").status()).isEqualTo(200);
            letGo(application, holder);
        }
    }

    @Test
    void exemptsTheEndpointsAloneIfTheirBasePathIsTheRoot() throws IOException {
        try (TestApplication application = start(
                        "rollcall.max-concurrency=1",
                        "spring.mvc.servlet.path=/api",
                        "server.servlet.context-path=/context",
                        "management.endpoints.web.base-path=/");
                RawHttp holder = hold(application, "/context/api/hold")) {
            assertThat(application.exchange("GET /context/api/health").status()).isEqualTo(200);
            assertThat(application.exchange("GET /context/api/plain").status()).isEqualTo(503);
            letGo(application, holder);
        }
    }

    @Test
    void leavesTheManagementPortAlone() throws IOException {
        try (TestApplication application = start(
                        "rollcall.max-concurrency=1",
                        "management.server.port=0",
                        "management.endpoint.health.probes.add-additional-paths=true");
                RawHttp holder = hold(application)) {
            int port = Integer.parseInt(
                    application.context().getEnvironment().getRequiredProperty("local.management.port"));
            assertThat(port)
                    .isNotEqualTo(((WebServerApplicationContext) application.context())
                            .getWebServer()
                            .getPort());
            try (RawHttp management = new RawHttp(port)) {
                assertThat(management.exchange("GET /actuator/health").status()).isEqualTo(200);
            }
            assertThat(application.exchange("GET /livez").status()).isEqualTo(200);
            assertThat(application.exchange("GET /actuator/health").status()).isEqualTo(503);
            letGo(application, holder);
        }
    }

    @Test
    @EnabledForJreRange(min = JRE.JAVA_21, disabledReason = "virtual threads came with Java 21")
    void seesAllRequestsOnVirtualThreads() throws Exception {
        int limit = 50;
        try (TestApplication application = start(
                "rollcall.max-concurrency=" + limit,
                "spring.threads.virtual.enabled=true",
                "server.tomcat.threads.max=5")) {
            Held held = application.context().getBean(Held.class);
            RawHttp[] holders = new RawHttp[limit];
            for (int i = 0; i < limit; i++) {
                holders[i] = hold(application);
            }
            await().until(() -> held.running.get() == limit);
            assertThat(application.exchange("GET /plain").status()).isEqualTo(503);
            assertThat(application.context().getBeanNamesForType(RequestThreads.class))
                    .isEmpty();
            held.letGo();
            for (RawHttp holder : holders) {
                assertThat(holder.read(false).status()).isEqualTo(200);
                holder.close();
            }
            await().until(() -> application.inFlight() == 0);
            assertThat(held.most).hasValue(limit);
        }
    }

    private static TestApplication start(String... properties) {
        return TestApplication.onServlet(TomcatTestConfiguration.class, properties);
    }

    private static RawHttp hold(TestApplication application) throws IOException {
        return hold(application, "/hold");
    }

    private static RawHttp hold(TestApplication application, String path) throws IOException {
        int before = application.inFlight();
        RawHttp holder = application.connect().send("GET " + path);
        Held held = application.context().getBean(Held.class);
        await().until(() -> held.running.get() == before + 1);
        return holder;
    }

    private static void letGo(TestApplication application, RawHttp holder) throws IOException {
        application.context().getBean(Held.class).letGo();
        assertThat(holder.read(false).status()).isEqualTo(200);
    }
}
