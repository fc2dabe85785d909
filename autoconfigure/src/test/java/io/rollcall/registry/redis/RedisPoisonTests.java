package io.rollcall.registry.redis;

import static io.rollcall.registry.redis.RedisClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.discovery.LiveServices;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import io.rollcall.registry.Registry;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Data that nobody should have written hides nothing else. */
class RedisPoisonTests {

    @AutoClose
    private static final RedisServerProcess server = RedisServerProcess.running();

    @AutoClose
    private final RedisClients clients = new RedisClients();

    private final StringRedisTemplate redis = clients.template(server.port());

    private final String service = "orders-" + UUID.randomUUID();

    private final String base = "rollcall:{swoole:service:" + service + "}:";

    private final Registry registry = clients.registry(server.url());

    @BeforeEach
    void joinAGoodOne() throws Exception {
        registry.registrar().join(instance(service, "good", 8081));
    }

    private RejectedRecord lookupWithOneBad() throws Exception {
        Listing listing = registry.resolver().lookup(service);
        assertThat(listing.instances()).extracting(Instance::id).containsExactly("good");
        assertThat(listing.rejected()).hasSize(1);
        return listing.rejected().get(0);
    }

    private void poison(String record) {
        redis.opsForZSet().add(base + "leases", "bad", 4e12);
        redis.opsForHash().put(base + "instances", "bad", record);
    }

    /** Every new entry has some service of all looked after, here this one or the strange one. */
    @Test
    void joinsThoughAnotherServicesKeysAreOfAnotherType() throws Exception {
        Registry lonely = clients.registry(
                RedisClients.definition("lonely", server.url(), RedisClients.TIMING, true, service, null));
        String strange = service + ":{swoole:service:strange}:";
        redis.opsForSet().add(service + ":services", "strange");
        redis.opsForZSet().add(strange + "leases", "dead", 1);
        redis.opsForValue().set(strange + "owners", "x");

        for (int port = 1; port <= 20; port++) {
            lonely.registrar().join(instance("lonely-" + service, "one-" + port, port));
        }

        assertThat(lonely.resolver().lookup("lonely-" + service).instances()).hasSize(20);
        assertThat(redis.hasKey(strange + "leases")).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "x",
                "[]",
                "null",
                "1",
                "{",
                "{}",
                "{'id':'bad'}",
                "{'id':'other','service':'SERVICE','host':'h','port':1}",
                "{'id':'bad','service':'other','host':'h','port':1}",
                "{'id':'bad','service':'SERVICE','host':'','port':1}",
                "{'id':'bad','service':'SERVICE','host':[],'port':1}",
                "{'id':'bad','service':'SERVICE','host':'h','port':0}",
                "{'id':'bad','service':'SERVICE','host':'h','port':'http'}",
                "{'id':'bad','service':'SERVICE','host':'h','port':1e99}",
                "{'id':'bad','service':'SERVICE','host':'h','port':1,'metadata':[1]}",
                "{'@class':'java.net.URL','id':'bad'}"
            })
    void rejectsARecordThatIsNoInstance(String record) throws Exception {
        poison(record.replace("SERVICE", service).replace('\'', '"'));

        RejectedRecord rejected = lookupWithOneBad();

        assertThat(rejected.key()).isEqualTo(base + "leases bad");
        assertThat(rejected.reason()).isNotBlank();
    }

    @Test
    void rejectsAHugeRecordUnread() throws Exception {
        poison("{\"id\":\"bad\",\"x\":\"" + "x".repeat(5_000_000) + "\"}");

        assertThat(lookupWithOneBad().reason()).contains("more than " + Json.MAX_BYTES);
    }

    @Test
    void rejectsALeaseWithoutARecord() throws Exception {
        redis.opsForZSet().add(base + "leases", "bad", Double.POSITIVE_INFINITY);

        assertThat(lookupWithOneBad().reason()).isEqualTo("no data");
    }

    @Test
    void readsARecordWithNullsAndNumbers() throws Exception {
        poison("{\"id\":\"bad\",\"service\":\"" + service + "\",\"host\":\"h\",\"port\":\"81\",\"secure\":null,"
                + "\"metadata\":{\"a\":null,\"b\":7,\"c\":true}}");

        Listing listing = registry.resolver().lookup(service);

        assertThat(listing.rejected()).isEmpty();
        assertThat(listing.instances())
                .filteredOn(found -> found.id().equals("bad"))
                .singleElement()
                .satisfies(found -> {
                    assertThat(found.port()).isEqualTo(81);
                    assertThat(found.metadata()).containsOnlyKeys("b", "c").containsEntry("b", "7");
                });
    }

    @Test
    void registersAndReadsThoughSwoolesKeyIsNoSet() throws Exception {
        redis.delete("swoole:service:" + service);
        redis.opsForValue().set("swoole:service:" + service, "text");

        registry.registrar().join(instance(service, "good", 8081));

        assertThat(lookupWithOneBad().key()).isEqualTo("swoole:service:" + service);
        registry.registrar().leave(instance(service, "good", 8081));
        assertThat(registry.resolver().lookup(service).instances()).isEmpty();
    }

    @Test
    void aBrokenKeyOfOneServiceLeavesTheOthersAlone() throws Exception {
        redis.opsForSet().add("rollcall:services", "broken");
        redis.opsForValue().set("rollcall:{swoole:service:broken}:leases", "text");

        assertThat(registry.resolver().services()).contains(service).doesNotContain("broken");
        for (int i = 0; i < 50; i++) {
            registry.registrar().join(instance(service, "good", 8081));
        }
        assertThat(registry.resolver().lookup(service).instances()).hasSize(1);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aServiceWhoseKeyIsOfAnotherTypeHarmsNoOther(CapturedOutput output) throws Exception {
        String poisoned = "poisoned-" + UUID.randomUUID();
        redis.opsForValue().set(new RedisKeys(RedisKeys.DEFAULT_PREFIX).leases(poisoned), "not a sorted set");
        try (ConfigurableApplicationContext context = TestApplication.named("consumer")
                .with("rollcall.registration.enabled=false", "rollcall.registries.redis.url=" + server.url())
                .start()) {
            LiveServices services = context.getBean(LiveServices.class);
            // The start may take longer than a lease.
            registry.registrar().join(instance(service, "good", 8081));
            assertThat(services.getInstances(service)).hasSize(1);
            assertThat(services.getInstances(poisoned)).isEmpty();
            await().until(() -> output.toString().contains("answers, but not for " + poisoned));

            for (int port = 9001; port < 9010; port++) {
                registry.registrar().join(instance(service, "another-" + port, port));
                int expected = port - 9001 + 2;
                await().until(() -> services.getInstances(service).size() == expected);
            }
            redis.delete(new RedisKeys(RedisKeys.DEFAULT_PREFIX).leases(poisoned));
            await().atMost(Duration.ofMinutes(1))
                    .until(() -> output.toString().contains("answers for " + poisoned + " again"));
            assertThat(output.toString()).containsOnlyOnce("answers, but not for");
        }
    }
}
