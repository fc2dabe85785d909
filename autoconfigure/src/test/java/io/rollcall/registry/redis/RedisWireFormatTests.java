package io.rollcall.registry.redis;

import static io.rollcall.registry.redis.RedisClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.data.redis.core.StringRedisTemplate;

/** What is in Redis, as programs in other languages see it. */
class RedisWireFormatTests {

    @AutoClose
    private static final RedisServerProcess server = RedisServerProcess.running();

    @AutoClose
    private final RedisClients clients = new RedisClients();

    private final StringRedisTemplate redis = clients.template(server.port());

    private final String service = "orders-" + UUID.randomUUID();

    private final String base = "rollcall:{swoole:service:" + service + "}:";

    private final String swoole = "swoole:service:" + service;

    private final Registry registry = clients.registry(server.url());

    private final Registrar registrar = registry.registrar();

    private final Resolver resolver = registry.resolver();

    private Listing lookup() throws Exception {
        return resolver.lookup(service);
    }

    private String owner() {
        return redis.opsForHash().get(base + "owners", "one").toString().split(" ")[0];
    }

    @Test
    void writesALeaseARecordAnOwnerAndSwoolesMember() throws Exception {
        registrar.join(new Instance("one", service, "10.0.0.7", 8081, true, Map.of("zone", "a", "note", "ü\"\n")));

        Long now = redis.execute(connection -> connection.serverCommands().time(), true);
        assertThat(redis.opsForZSet().score(base + "leases", "one")).isBetween(now + 10_000.0, now + 15_000.0);
        assertThat(redis.opsForHash().get(base + "instances", "one"))
                .isEqualTo("{\"id\":\"one\",\"service\":\"" + service + "\",\"host\":\"10.0.0.7\",\"port\":8081,"
                        + "\"secure\":true,\"metadata\":{\"note\":\"ü\\\"\\n\",\"zone\":\"a\"}}");
        assertThat(redis.opsForHash().get(base + "owners", "one").toString())
                .matches("[0-9a-f-]{36} 1 10\\.0\\.0\\.7:8081");
        assertThat(redis.opsForSet().members(swoole)).containsExactly("10.0.0.7:8081");
        assertThat(redis.opsForSet().isMember("rollcall:services", service)).isTrue();
    }

    @Test
    void keepsNothingForEver() throws Exception {
        registrar.join(instance(service, "one", 8081));

        for (String key : List.of("leases", "instances", "owners")) {
            assertThat(redis.getExpire(base + key)).as(key).isBetween(80_000L, 86_400L);
        }
        registrar.leave(instance(service, "one", 8081));
        assertThat(redis.hasKey(swoole)).isFalse();
        assertThat(redis.hasKey(base + "instances")).isFalse();
        for (String key : List.of("leases", "owners")) {
            assertThat(redis.getExpire(base + key)).as(key).isBetween(1L, 300L);
        }
    }

    @Test
    void usesThePrefix() throws Exception {
        Registry other = clients.registry(
                RedisClients.definition("other", server.url(), RedisClients.TIMING, true, "acme", null));

        other.registrar().join(instance(service, "one", 8081));

        assertThat(redis.hasKey("acme:{swoole:service:" + service + "}:leases")).isTrue();
        assertThat(other.resolver().lookup(service).instances())
                .extracting(Instance::id)
                .containsExactly("one");
        assertThat(resolver.services()).doesNotContain(service);
    }

    @Test
    void separatesDatabases() throws Exception {
        Registry third = clients.registry(server.url() + "/3");

        third.registrar().join(instance(service, "one", 8081));

        assertThat(lookup().instances()).isEmpty();
        assertThat(third.resolver().lookup(service).instances()).hasSize(1);
    }

    @Test
    void writesIntoSwoolesSetOnlyWhatItsReadersUnderstand() throws Exception {
        registrar.join(new Instance("name", service, "localhost", 8081, false, Map.of()));
        registrar.join(new Instance("v6", service, "2001:db8::1", 8082, false, Map.of()));
        registrar.join(new Instance("v4", service, "192.168.0.255", 8083, false, Map.of("weight", "200")));

        assertThat(redis.opsForSet().members(swoole)).containsExactly("192.168.0.255:8083");
        assertThat(lookup().instances()).extracting(Instance::id).containsExactlyInAnyOrder("name", "v6", "v4");
    }

    @Test
    void restoresAMemberOfSwoolesSetThatSomebodyRemoved() throws Exception {
        registrar.join(instance(service, "one", 8081));
        redis.opsForSet().remove(swoole, "127.0.0.1:8081");

        registrar.join(instance(service, "one", 8081));

        assertThat(redis.opsForSet().members(swoole)).containsExactly("127.0.0.1:8081");
    }

    @Test
    void readsMembersOfOthersAndNeverRemovesThem() throws Exception {
        redis.opsForSet()
                .add(
                        swoole,
                        "10.9.8.7:9501",
                        "10.9.8.7",
                        "[::1]:80",
                        "localhost:80",
                        "1.2.3.4:99999",
                        "x".repeat(5000));
        registrar.join(instance(service, "one", 8081));
        registrar.leave(instance(service, "one", 8081));

        assertThat(lookup().instances())
                .containsExactly(new Instance(service + "-10.9.8.7-9501", service, "10.9.8.7", 9501, false, Map.of()));
        assertThat(lookup().rejected()).hasSize(5);
        assertThat(redis.opsForSet().size(swoole)).isEqualTo(6);
    }

    @Test
    void knowsAServiceThatOnlySwooleHas() throws Exception {
        assertThat(lookup().incarnation()).isNull();

        redis.opsForSet().add(swoole, "10.9.8.7:9501");

        assertThat(lookup().incarnation()).isEqualTo("foreign");
        assertThat(lookup().freshFor()).isNull();
    }

    @Test
    void tellsHowLongAnAnswerIsGoodFor() throws Exception {
        registrar.join(instance(service, "one", 8081));
        clients.registry(server.url(), RedisClients.ttl(Duration.ofSeconds(6)))
                .registrar()
                .join(instance(service, "two", 8082));

        assertThat(lookup().freshFor()).isBetween(Duration.ofMillis(11), Duration.ofMillis(6010));
    }

    @Test
    void leasesThatHaveAllEndedAtOnceMakeAnotherIncarnation() throws Exception {
        registrar.join(instance(service, "one", 8081));
        registrar.join(instance(service, "two", 8082));
        String before = lookup().incarnation();
        // As after a step of the server's clock.
        redis.opsForZSet().add(base + "leases", "one", 1000);
        registrar.join(instance(service, "two", 8082));
        assertThat(lookup().incarnation()).isEqualTo(before);

        redis.opsForZSet().add(base + "leases", "one", 1000);
        redis.opsForZSet().add(base + "leases", "two", 2000);
        registrar.join(instance(service, "one", 8081));

        assertThat(lookup().instances()).extracting(Instance::id).containsExactly("one");
        assertThat(lookup().incarnation()).isNotNull().isNotEqualTo(before);
    }

    @Test
    void aLookUpThatSweepsAllOfThemSaysSoToThoseThatFollow() throws Exception {
        registrar.join(instance(service, "one", 8081));
        registrar.join(instance(service, "two", 8082));
        Resolver other = clients.registry(server.url()).resolver();
        String before = other.lookup(service).incarnation();
        redis.opsForZSet().add(base + "leases", "one", 1000);
        redis.opsForZSet().add(base + "leases", "two", 1000);

        assertThat(lookup().incarnation()).isNotEqualTo(before);
        assertThat(other.lookup(service).instances()).isEmpty();
        assertThat(other.lookup(service).incarnation()).isNotEqualTo(before);
    }

    @Test
    void remembersWhoHasLeft() throws Exception {
        registrar.join(instance(service, "one", 8081));
        registrar.join(instance(service, "two", 8082));
        registrar.leave(instance(service, "one", 8081));

        assertThat(lookup().left()).containsExactly("one");
        assertThat(redis.opsForSet().members(swoole)).containsExactly("127.0.0.1:8082");
        registrar.join(instance(service, "one", 8081));
        assertThat(lookup().left()).isEmpty();
    }

    @Test
    void movesToAnotherAddressUnderTheSameId() throws Exception {
        registrar.join(instance(service, "one", 8081));

        registrar.join(instance(service, "one", 8082));

        assertThat(redis.opsForSet().members(swoole)).containsExactly("127.0.0.1:8082");
        assertThat(lookup().instances()).extracting(Instance::port).containsExactly(8082);
    }

    @Test
    void keepsSwoolesMemberWhileAnotherInstanceHasTheSameAddress() throws Exception {
        registrar.join(instance(service, "one", 8081));
        clients.registry(server.url()).registrar().join(instance(service, "two", 8081));

        registrar.leave(instance(service, "one", 8081));

        assertThat(redis.opsForSet().members(swoole)).containsExactly("127.0.0.1:8081");
    }

    @Test
    void refusesAJoinThatALeaveHasOvertaken() throws Exception {
        registrar.join(instance(service, "one", 8081));
        Object record = redis.opsForHash().get(base + "instances", "one");
        String owner = owner();
        registrar.leave(instance(service, "one", 8081));

        // The renewal that was sent before the leave, and was held up on its way.
        List<Object> answer = new RedisLink(redis::getConnectionFactory, () -> {})
                .run(
                        RedisScripts.load().join(),
                        new RedisKeys("rollcall").of(service),
                        "one",
                        record,
                        owner,
                        1,
                        "127.0.0.1:8081",
                        15_000,
                        86_400_000,
                        base + "changes");

        assertThat(Answers.text(answer, 0)).isEqualTo("stale");
        assertThat(lookup().instances()).isEmpty();
        assertThat(redis.hasKey(swoole)).isFalse();
    }

    @Test
    void refusesALeaveThatAJoinHasOvertaken() throws Exception {
        registrar.join(instance(service, "one", 8081));
        registrar.join(instance(service, "one", 8081));

        List<Object> answer = new RedisLink(redis::getConnectionFactory, () -> {})
                .run(
                        RedisScripts.load().leave(),
                        new RedisKeys("rollcall").of(service),
                        "one",
                        owner(),
                        1,
                        "127.0.0.1:8081",
                        60_000,
                        base + "changes");

        assertThat(Answers.text(answer, 0)).isEqualTo("stale");
        assertThat(lookup().instances()).hasSize(1);
    }

    @Test
    void saysThatALaterChangeHasOvertakenAJoin() throws Exception {
        registrar.join(instance(service, "one", 8081));
        redis.opsForHash().put(base + "owners", "one", owner() + " 1000 ");

        assertThatIllegalStateException()
                .isThrownBy(() -> registrar.join(instance(service, "one", 8081)))
                .withMessageContaining("overtaken");
    }

    @Test
    void publishesChangesAndNoRenewals() throws Exception {
        Instance changed = instance(service, "one", 8081).withMetadata(Map.of("weight", "1"));
        try (RedisServerProcess.RawConnection raw = server.raw()) {
            raw.send("SUBSCRIBE " + base + "changes end");
            raw.readUntil("end");
            registrar.join(instance(service, "one", 8081));
            registrar.join(instance(service, "one", 8081));
            registrar.join(changed);
            registrar.join(changed);
            registrar.leave(changed);
            registrar.leave(changed);
            redis.convertAndSend("end", "over");

            List<String> told = new ArrayList<>(raw.readUntil("over"));
            told.removeIf(line -> !line.endsWith(" one"));
            assertThat(told).containsExactly("join one", "join one", "leave one");
        }
    }

    @Test
    void refusesWhatReadersWouldNotRead() {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() ->
                        registrar.join(instance(service, "big", 8081).withMetadata(Map.of("k", "v".repeat(70_000)))));
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registrar.join(instance(service, "@incarnation", 8081)));
    }

    @Test
    void forgetsNamesOfServicesThatAreGone() throws Exception {
        redis.opsForSet().add("rollcall:services", "gone-" + service);
        registrar.join(instance(service, "one", 8081));

        assertThat(resolver.services()).contains(service).doesNotContain("gone-" + service);
        assertThat(redis.opsForSet().isMember("rollcall:services", "gone-" + service))
                .isFalse();
    }
}
