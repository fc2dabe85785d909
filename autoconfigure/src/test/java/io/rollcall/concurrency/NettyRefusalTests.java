package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NettyRefusalTests extends RefusalContract {

    @Override
    TestApplication start(String... properties) {
        return TestApplication.onNetty(NettyTestConfiguration.class, properties);
    }

    @Override
    int errorPages() {
        return application()
                .context()
                .getBean(NettyTestConfiguration.ErrorPage.class)
                .shown
                .get();
    }

    @Override
    void assertOver(RawHttp http) throws IOException {
        assertThat(http.exchange("GET /plain").body()).isEqualTo("plain");
    }

    @Test
    void keepsTheConnection() throws IOException {
        try (RawHttp http = application().connect()) {
            for (int i = 0; i < 3; i++) {
                RawHttp.Response refused = http.exchange("GET /mono");
                assertRefused(refused);
                assertThat(refused.header("Connection")).isNull();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"/actuatorx", "/plain/", "/plainx", "/x/../mono"})
    void isNotFooledIntoExemption(String path) throws IOException {
        assertThat(application().exchange("GET " + path).status()).isEqualTo(503);
    }
}
