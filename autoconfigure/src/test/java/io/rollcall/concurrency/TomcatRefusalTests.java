package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TomcatRefusalTests extends RefusalContract {

    @Override
    TestApplication start(String... properties) {
        return TestApplication.onServlet(TomcatTestConfiguration.class, properties);
    }

    @Override
    int errorPages() {
        return application()
                .context()
                .getBean(TomcatTestConfiguration.ErrorPage.class)
                .shown
                .get();
    }

    /** Tomcat ends every HTTP/1.1 connection after a 503. */
    @Override
    void assertOver(RawHttp http) throws IOException {
        assertThat(http.readByte()).isEqualTo(-1);
    }

    @Test
    void saysThatTheConnectionEnds() throws IOException {
        RawHttp.Response refused = application().exchange("GET /missing");
        assertRefused(refused);
        assertThat(refused.header("Connection")).isEqualTo("close");
    }

    @Test
    void refusesAClientThatAsksFirst() throws IOException {
        try (RawHttp http = application().connect()) {
            http.send("POST /echo", "Content-Type: text/plain", "Content-Length: 4", "Expect: 100-continue");
            assertRefused(http.read(false));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuator/../forward", "/actuatorx", "/plain/", "/plainx", "/actuator/..;/forward"})
    void isNotFooledIntoExemption(String path) throws IOException {
        assertThat(application().exchange("GET " + path).status()).isIn(400, 503);
    }
}
