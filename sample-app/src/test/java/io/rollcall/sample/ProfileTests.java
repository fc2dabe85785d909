package io.rollcall.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.sample.demo.Servers;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;

/** The application by itself, against registries that are there already. */
class ProfileTests {

    private Servers servers;

    @BeforeEach
    void start() throws IOException {
        servers = Servers.start();
    }

    @AfterEach
    void stop() {
        servers.close();
    }

    @Test
    void consumerFindsProviderInEachRegistry() {
        for (String property : servers.properties()) {
            try (ConfigurableApplicationContext provider = run("provider", property);
                    ConfigurableApplicationContext consumer = run("consumer", property)) {
                Http http = new Http("http://127.0.0.1:" + port(consumer));

                await().atMost(Duration.ofSeconds(60)).ignoreExceptions().until(() -> http.greeting() != null);

                assertThat(http.greeting().address()).isEqualTo("127.0.0.1:" + port(provider));
                assertThat(http.greeting().instance()).isEqualTo("greeter-127.0.0.1-" + port(provider));
            }
        }
    }

    @Test
    void providerHasNoPage() {
        try (ConfigurableApplicationContext provider =
                run("provider", servers.properties().get(0))) {
            assertThat(new Http("http://127.0.0.1:" + port(provider)).status("/"))
                    .isEqualTo(404);
        }
    }

    @Test
    void consumerHasPageButNoDemo() {
        try (ConfigurableApplicationContext consumer =
                run("consumer", servers.properties().get(0))) {
            Http http = new Http("http://127.0.0.1:" + port(consumer));

            assertThat(http.text("/")).contains("Rollcall sample");
            assertThat(http.status("/demo")).isEqualTo(404);
            assertThat(http.status("/greeting")).isEqualTo(502);
        }
    }

    private static ConfigurableApplicationContext run(String profile, String registry) {
        return SpringApplication.run(
                SampleApplication.class,
                "--spring.profiles.active=" + profile,
                "--server.port=0",
                "--rollcall.registration.drain-wait=0",
                registry);
    }

    private static String port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port");
    }
}
