package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class NettyManagementPortTests {

    @Test
    void leavesTheManagementPortAlone() throws IOException {
        try (TestApplication application = TestApplication.onNetty(
                        NettyTestConfiguration.class,
                        "rollcall.max-concurrency=1",
                        "management.server.port=0",
                        "management.endpoints.web.base-path=/manage");
                RawHttp holder = application.connect()) {
            Held held = application.context().getBean(Held.class);
            holder.send("GET /hold");
            await().until(() -> held.running.get() == 1);
            int port = Integer.parseInt(
                    application.context().getEnvironment().getRequiredProperty("local.management.port"));
            try (RawHttp management = new RawHttp(port)) {
                assertThat(management.exchange("GET /manage/health").status()).isEqualTo(200);
            }
            assertThat(application.exchange("GET /manage/health").status()).isEqualTo(503);
            assertThat(application.gate().rejected()).isEqualTo(1);
            held.letGo();
            assertThat(holder.read(false).status()).isEqualTo(200);
        }
    }
}
