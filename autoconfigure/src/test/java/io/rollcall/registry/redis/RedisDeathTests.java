package io.rollcall.registry.redis;

import static io.rollcall.registry.redis.RedisClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.Resolver;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.StringRedisTemplate;

/** An instance dies without leaving: to the registry, somebody who does not renew any more. */
class RedisDeathTests {

    private static final Timing SHORT = RedisClients.ttl(Duration.ofMillis(600));

    @AutoClose
    private static final RedisServerProcess server = RedisServerProcess.running();

    @AutoClose
    private final RedisClients clients = new RedisClients();

    private final StringRedisTemplate redis = clients.template(server.port());

    private final String service = "orders-" + UUID.randomUUID();

    private final String base = "rollcall:{swoole:service:" + service + "}:";

    private final String swoole = "swoole:service:" + service;

    private final Registry registry = clients.registry(server.url());

    @BeforeEach
    void die() throws Exception {
        clients.wipe(server);
        clients.registry(server.url(), SHORT).registrar().join(instance(service, "dead", 8081));
    }

    @Test
    void itVanishesThoughNobodySaysAWord() throws Exception {
        Resolver reader = reader();

        await().untilAsserted(
                        () -> assertThat(reader.lookup(service).instances()).isEmpty());

        assertThat(reader.lookup(service).left()).isEmpty();
        assertThat(reader.lookup(service).freshFor()).isNull();
        assertThat(reader.lookup(service).incarnation()).isNotNull();
        assertThat(reader.services()).doesNotContain(service);
    }

    @Test
    void aPeerSweepsIt() {
        redis.opsForSet().add(swoole, "10.9.8.7:9501");

        await().untilAsserted(() -> {
            registry.registrar().join(instance(service, "alive", 8082));
            assertThat(redis.opsForSet().members(swoole)).containsExactlyInAnyOrder("127.0.0.1:8082", "10.9.8.7:9501");
        });
        assertThat(redis.opsForZSet().range(base + "leases", 0, -1)).containsExactly("alive");
        assertThat(redis.opsForHash().keys(base + "instances")).isEqualTo(Set.of("alive"));
        assertThat(redis.opsForHash().keys(base + "owners")).isEqualTo(Set.of("alive", "@incarnation"));
    }

    @Test
    void aConsumerSweepsItThatRegistersThereItself() {
        await().untilAsserted(() -> {
            registry.resolver().lookup(service);
            assertThat(redis.hasKey(swoole)).isFalse();
        });
        assertThat(redis.hasKey(base + "leases")).isFalse();
    }

    @Test
    void aMereConsumerWritesNothing() throws Exception {
        Resolver reader = reader();

        await().untilAsserted(
                        () -> assertThat(reader.lookup(service).instances()).isEmpty());

        Listing listing = reader.lookup(service);
        assertThat(redis.opsForSet().members(swoole)).containsExactly("127.0.0.1:8081");
        assertThat(listing.rejected()).isEmpty();
    }

    @Test
    void anInstanceOfAnotherServiceSweepsIt() {
        Registrar other = clients.registry(server.url(), SHORT).registrar();

        await().untilAsserted(() -> {
            other.join(instance("other-" + service, "alive", 8082));
            assertThat(redis.hasKey(swoole)).isFalse();
            assertThat(redis.opsForSet().members("rollcall:services")).containsExactly("other-" + service);
        });
    }

    @Test
    void itsSuccessorIsNotSweptWithIt() throws Exception {
        registry.registrar().join(instance(service, "dead", 8081));
        Resolver other = clients.registry(server.url()).resolver();
        clients.registry(server.url(), SHORT).registrar().join(instance(service, "witness", 8082));

        await().untilAsserted(() -> assertThat(other.lookup(service).instances())
                .extracting(Instance::id)
                .containsExactly("dead"));

        assertThat(redis.opsForSet().members(swoole)).containsExactly("127.0.0.1:8081");
    }

    private Resolver reader() {
        return clients.registry(RedisClients.definition("reader", server.url(), RedisClients.TIMING, false, null, null))
                .resolver();
    }
}
