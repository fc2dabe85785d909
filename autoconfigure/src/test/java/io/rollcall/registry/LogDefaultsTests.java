package io.rollcall.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

class LogDefaultsTests {

    private static String level(Map<String, Object> properties) {
        StandardEnvironment environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new MapPropertySource("test", properties));
        LogDefaults.errorsOnly(environment, Set.of("redis", "rediss"), "a.client");
        return environment.getProperty("logging.level.a.client");
    }

    @Test
    void quietenTheClientOfARegistryThatIsConfigured() {
        assertThat(level(Map.of("rollcall.registries.r.url", "rediss://h"))).isEqualTo("error");
        assertThat(level(Map.of("rollcall.registries.r.url", " REDIS://h"))).isEqualTo("error");
    }

    @Test
    void leaveOthersAlone() {
        assertThat(level(Map.of())).isNull();
        assertThat(level(Map.of("rollcall.registries.r.url", "zookeeper://h"))).isNull();
        assertThat(level(Map.of("rollcall.registries.r.url", "redis://h", "rollcall.enabled", "false")))
                .isNull();
    }

    @Test
    void giveWayToTheApplication() {
        assertThat(level(Map.of("rollcall.registries.r.url", "redis://h", "logging.level.a.client", "debug")))
                .isEqualTo("debug");
    }
}
