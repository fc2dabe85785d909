package io.rollcall.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.loadbalancer.RollcallLoadBalancerAutoConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

class StockStarterDefaultsTests {

    private static final String RETRY = "spring.cloud.loadbalancer.retry.enabled";

    @Test
    void keepSpringsRetryAway() {
        try (ConfigurableApplicationContext context = run()) {
            assertThat(context.getEnvironment().getProperty(RETRY)).isEqualTo("false");
        }
    }

    @Test
    void giveWayToTheApplicationsOwnSettings() {
        try (ConfigurableApplicationContext context = run("--" + RETRY + "=true")) {
            assertThat(context.getEnvironment().getProperty(RETRY)).isEqualTo("true");
        }
    }

    @Test
    void giveWayToTheApplicationsDefaultProperties() {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        application.setDefaultProperties(Map.of(RETRY, "true"));
        try (ConfigurableApplicationContext context = application.run()) {
            assertThat(context.getEnvironment().getProperty(RETRY)).isEqualTo("true");
        }
    }

    @Test
    void doNotApplyWhenRollcallIsOff() {
        try (ConfigurableApplicationContext context = run("--rollcall.enabled=false")) {
            assertThat(context.getEnvironment().getProperty(RETRY)).isNull();
        }
    }

    private static ConfigurableApplicationContext run(String... arguments) {
        SpringApplication application = new SpringApplication(Application.class);
        application.setWebApplicationType(WebApplicationType.NONE);
        return application.run(arguments);
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({RollcallLoadBalancerAutoConfiguration.class, LoadBalancerAutoConfiguration.class})
    static class Application {}
}
