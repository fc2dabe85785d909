package io.rollcall.registry.consul;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registries;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What an application's health means to a registry that asks for it, and to one that does not. */
class HealthStatusTests {

    private static List<Instance> listed(ConfigurableApplicationContext context, String registry) throws Exception {
        return context.getBean(Registries.class)
                .named(registry)
                .orElseThrow()
                .resolver()
                .lookup("orders")
                .instances();
    }

    @Test
    void whatIsDownOrOutOfServiceIsNotListedWhereHealthIsAskedForAndReadinessAloneDecidesElsewhere() throws Exception {
        try (ConsulServer server = ConsulServer.running();
                ConfigurableApplicationContext context = TestApplication.named("orders")
                        .with(ChangingHealth.class)
                        .with(
                                "rollcall.registries.consul.url=" + server.url(),
                                "rollcall.registries.consul.health-check.interval=100ms",
                                "rollcall.registries.memory.url=" + TestApplication.unique("memory:"))
                        .start()) {
            ChangingHealth health = context.getBean(ChangingHealth.class);
            await().until(() -> listed(context, "memory").size() == 1);
            await().until(() -> listed(context, "consul").size() == 1);

            for (Status bad : List.of(Status.DOWN, Status.OUT_OF_SERVICE)) {
                health.status = bad;
                await().until(() -> listed(context, "consul").isEmpty());
                assertThat(listed(context, "memory")).hasSize(1);

                health.status = bad == Status.DOWN ? Status.UP : Status.UNKNOWN;
                await().until(() -> listed(context, "consul").size() == 1);
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class ChangingHealth {

        volatile Status status = Status.UP;

        @Bean
        HealthIndicator changingHealthIndicator() {
            return () -> Health.status(status).build();
        }
    }
}
