package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class ZookeeperEnvironmentPostProcessorTests {

    private static final String STOCK = "spring.cloud.zookeeper.";

    private static ConfigurableEnvironment processed(Map<String, Object> properties) {
        return processed(properties, "user");
    }

    private static ConfigurableEnvironment processed(Map<String, Object> properties, String source) {
        ConfigurableEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addLast(new MapPropertySource(source, new java.util.HashMap<>(properties)));
        new ZookeeperEnvironmentPostProcessor().postProcessEnvironment(environment, new SpringApplication());
        return environment;
    }

    @Test
    void theStockStarterIsOffUnlessAskedFor() {
        ConfigurableEnvironment environment = processed(Map.of());

        assertThat(environment.getProperty(STOCK + "enabled")).isEqualTo("false");
        assertThat(environment.getProperty(STOCK + "discovery.register")).isEqualTo("false");
        assertThat(environment.getProperty(STOCK + "loadbalancer.enabled")).isEqualTo("false");
    }

    @Test
    void aConnectionThatWasAskedForIsMade() {
        ConfigurableEnvironment environment = processed(Map.of(STOCK + "connect-string", "127.0.0.1:2181"));

        assertThat(environment.getProperty(STOCK + "enabled")).isNull();
        assertThat(environment.getProperty(STOCK + "discovery.enabled")).isNull();
        assertThat(environment.getProperty(STOCK + "discovery.register")).isEqualTo("false");
        assertThat(environment.getProperty(STOCK + "loadbalancer.enabled")).isEqualTo("false");
    }

    @Test
    void overASharedConnectionRollcallAloneDiscovers() {
        ConfigurableEnvironment environment = processed(Map.of(
                STOCK + "connectString",
                "127.0.0.1:2181",
                "rollcall.registries.redis.url",
                "redis://127.0.0.1",
                "rollcall.registries.redis.interval",
                "nonsense",
                "rollcall.registries.zk.url",
                "zookeeper:"));

        assertThat(environment.getProperty(STOCK + "enabled")).isNull();
        assertThat(environment.getProperty(STOCK + "discovery.enabled")).isEqualTo("false");
    }

    @Test
    void whatTheApplicationSetsWins() {
        Map<String, Object> properties = Map.of(
                STOCK + "enabled",
                "true",
                STOCK + "discovery.register",
                "true",
                STOCK + "loadbalancer.enabled",
                "true");

        for (String source : new String[] {"user", "defaultProperties"}) {
            ConfigurableEnvironment environment = processed(properties, source);

            properties.forEach((name, value) ->
                    assertThat(environment.getProperty(name)).as(name).isEqualTo(value));
        }
    }

    @Test
    void nothingChangesWithoutRollcall() {
        ConfigurableEnvironment environment = processed(Map.of("rollcall.enabled", "false"));

        assertThat(environment.getProperty(STOCK + "enabled")).isNull();
        assertThat(environment.getProperty(STOCK + "discovery.register")).isNull();
        assertThat(environment.getProperty(STOCK + "loadbalancer.enabled")).isNull();
    }
}
