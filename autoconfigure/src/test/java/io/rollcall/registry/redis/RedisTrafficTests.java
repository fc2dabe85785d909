package io.rollcall.registry.redis;

import static io.rollcall.registry.redis.RedisClients.instance;
import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.registry.Registry;
import io.rollcall.registry.redis.RedisServerProcess.RawConnection;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What the server has to do. */
class RedisTrafficTests {

    @AutoClose
    private static final RedisServerProcess server = RedisServerProcess.running();

    @AutoClose
    private final RedisClients clients = new RedisClients();

    private final StringRedisTemplate redis = clients.template(server.port());

    private final Registry registry = clients.registry(server.url());

    @AutoClose
    private final RawConnection monitor = server.raw();

    @BeforeEach
    void settle() throws Exception {
        registry.registrar().join(instance("orders", "one", 8081));
        registry.resolver().lookup("orders");
        registry.resolver().services();
        redis.hasKey("x");
        monitor.send("MONITOR");
        monitor.readUntil("OK");
    }

    /** What clients have sent; what the scripts have done in turn; neither with the marker. */
    private List<String> seen(boolean byScripts) {
        redis.hasKey("end-of-test");
        return monitor.readUntil("end-of-test").stream()
                .filter(line -> !line.contains("end-of-test"))
                .filter(line -> line.contains(" lua]") == byScripts)
                .map(line -> line.replaceAll("^.*?\\] \"(\\w+)\".*$", "$1").toUpperCase(Locale.ROOT))
                .toList();
    }

    @Test
    void aRenewalIsOneCommand() throws Exception {
        registry.registrar().join(instance("orders", "one", 8081));

        assertThat(seen(false)).containsExactly("EVALSHA");
    }

    @Test
    void aRenewalTouchesOnlyItsOwnEntry() throws Exception {
        registry.registrar().join(instance("orders", "one", 8081));

        assertThat(seen(true))
                .containsExactly(
                        "TIME",
                        "HGET",
                        "ZSCORE",
                        "HGET",
                        "ZADD",
                        "HSET",
                        "HSETNX",
                        "SADD",
                        "ZRANGEBYSCORE",
                        "PEXPIRE",
                        "PEXPIRE",
                        "PEXPIRE");
    }

    @Test
    void aLookupIsOneCommand() throws Exception {
        registry.resolver().lookup("orders");

        assertThat(seen(false)).containsExactly("EVALSHA");
    }

    @Test
    void aWorkingLifeNeedsNoKeysAndNoScan() throws Exception {
        for (int i = 0; i < 10; i++) {
            registry.registrar().join(instance("orders", "one", 8081));
        }
        registry.registrar().leave(instance("orders", "one", 8081));
        registry.registrar().join(instance("orders", "one", 8081));
        registry.resolver().lookup("orders");
        registry.resolver().services();

        List<String> commands = seen(false);
        assertThat(commands).contains("EVALSHA").doesNotContain("KEYS", "SCAN", "CONFIG");
    }

    @Test
    void namingAllServicesIsOneCommand() throws Exception {
        for (int i = 0; i < 10; i++) {
            registry.registrar().join(instance("service-" + i, "one", 8081));
        }
        seen(true);

        assertThat(registry.resolver().services()).hasSize(11);

        assertThat(seen(false)).containsExactly("EVALSHA");
    }
}
