package io.rollcall.registry.redis;

import static io.rollcall.registry.redis.RedisClients.TIMING;
import static io.rollcall.registry.redis.RedisClients.definition;
import static io.rollcall.registry.redis.RedisClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** What becomes of a configuration. */
class RedisRegistryFactoryTests {

    private final ApplicationContextRunner contexts = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(RedisRegistryAutoConfiguration.class));

    private void assertInvalid(RegistryDefinition definition, String property, String reason) {
        contexts.withConfiguration(AutoConfigurations.of(SslAutoConfiguration.class))
                .run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                        .isThrownBy(() -> context.getBean(RegistryFactory.class).create(definition))
                        .satisfies(ex -> {
                            assertThat(ex.getProperty()).isEqualTo("rollcall.registries.redis." + property);
                            assertThat(ex.getReason()).contains(reason);
                            assertThat(ex.getRemedy()).endsWith(".");
                            assertThat(ex).hasMessageNotContaining("s3cr3t");
                            assertThat(ex.getRemedy()).doesNotContain("s3cr3t");
                        }));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "redis://a,b | several hosts",
                "redis://:s3cr3t@a/x | 'x' is not a number",
                "redis://a/-1 | '-1' is not a number",
                "redis://a/1/2 | '1/2' is not a number",
                "redis://a?db=1 | unknown parameter 'db'",
                "redis://a?password=s3cr3t | unknown parameter 'password'",
                "redis://user@a | a user without a password",
                "redis:orders | it names no host",
                "rediss: | it names no host",
                "redis-sentinel://a:26379 | does not name the master",
                "redis-sentinel://a/b/c | does not name the master",
                "redis-sentinel://a/master?db=x | 'x' is not a number",
                "redis-sentinel://a/master?x=s3cr3t | unknown parameter 'x'",
                "redis: | no Redis connection of its own"
            })
    void refusesUrlsThatCanNotBe(String url, String reason) {
        assertInvalid(definition(url, TIMING), "url", reason);
    }

    @Test
    void refusesBracesInThePrefix() {
        assertInvalid(definition("redis", "redis://a", TIMING, true, "{x}", null), "prefix", "braces");
    }

    @Test
    void refusesAnSslBundleThatIsNotThere() {
        assertInvalid(
                definition("redis", "rediss://a", TIMING, true, null, "missing"),
                "ssl.bundle",
                "no SSL bundle of that name");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "redis://a.invalid",
                "redis://[::1]:6380/15",
                "rediss://user:p%40ss@a.invalid:6380/",
                "redis-sentinel://:pw@a.invalid,b.invalid:26380/main?db=3"
            })
    void doesNotConnectToMakeARegistry(String url) {
        contexts.run(context -> {
            Registry registry = context.getBean(RegistryFactory.class).create(definition(url, TIMING));

            assertThat(registry.type()).isEqualTo("redis");
            assertThat(registry.registrar()).isNotNull();
            assertThat(registry.resolver()).isNotNull();
            registry.client().close();
        });
    }

    @Test
    void takesItsScriptsIntoANativeImage() {
        RuntimeHints hints = new RuntimeHints();

        new RedisRuntimeHints().registerHints(hints, getClass().getClassLoader());

        assertThat(RuntimeHintsPredicates.resource().forResource("io/rollcall/registry/redis/join.lua"))
                .accepts(hints);
    }

    @Test
    void addsNoConnectionToTheContext() {
        contexts.run(context ->
                assertThat(context).hasSingleBean(RegistryFactory.class).doesNotHaveBean(RedisConnectionFactory.class));
    }

    @Test
    void saysWhatIsMissingWithoutItsLibraries() {
        contexts.withClassLoader(new FilteredClassLoader("org.springframework.data.redis", "io.lettuce"))
                .run(context -> {
                    assertThat(context).hasNotFailed();
                    RegistryFactory factory = context.getBean(RegistryFactory.class);
                    assertThat(factory.schemes()).containsExactlyInAnyOrder("redis", "rediss", "redis-sentinel");
                    assertThat(factory.coordinates())
                            .containsExactly("org.springframework.data:spring-data-redis", "io.lettuce:lettuce-core");
                    assertThat(factory.requiredClasses())
                            .isNotEmpty()
                            .allSatisfy(name -> assertThat(Class.forName(
                                            name, false, getClass().getClassLoader()))
                                    .isNotNull());
                });
    }

    @Test
    void usesTheApplicationsConnection() {
        try (RedisServerProcess server = RedisServerProcess.running()) {
            contexts.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                    .withPropertyValues("spring.data.redis.port=" + server.port(), "spring.data.redis.database=2")
                    .run(context -> {
                        assertWorks(context.getBean(RegistryFactory.class));

                        assertThat(context.getBean(LettuceConnectionFactory.class)
                                        .isRunning())
                                .isTrue();
                        assertThat(context.getBean(LettuceConnectionFactory.class)
                                        .getConnection()
                                        .ping())
                                .isEqualTo("PONG");
                    });
        }
    }

    @Test
    void usesTheApplicationsConnectionThoughItIsOfAnotherDriver() {
        try (RedisServerProcess server = RedisServerProcess.running()) {
            contexts.withConfiguration(AutoConfigurations.of(DataRedisAutoConfiguration.class))
                    .withPropertyValues(
                            "spring.data.redis.port=" + server.port(), "spring.data.redis.client-type=jedis")
                    .run(context -> {
                        assertThat(context).hasSingleBean(JedisConnectionFactory.class);
                        assertWorks(context.getBean(RegistryFactory.class));
                        assertSaysWhenItsWatchesEnd(context.getBean(RegistryFactory.class), server);
                    });
        }
    }

    private static void assertSaysWhenItsWatchesEnd(RegistryFactory factory, RedisServerProcess server)
            throws Exception {
        Registry registry = factory.create(definition("redis:", TIMING));
        RedisClients.Listener listener = new RedisClients.Listener();
        registry.resolver().watch("orders", listener);

        server.kill();
        await().until(() -> listener.lost.get() != null);
        assertThatException().isThrownBy(() -> registry.resolver().watch("orders", listener));
        server.start();

        registry.resolver().watch("orders", listener);
        int before = listener.changes.get();
        registry.registrar().join(instance("orders", "one", 8081));
        await().until(() -> listener.changes.get() > before);
        registry.client().close();
    }

    static void assertWorks(RegistryFactory factory) throws Exception {
        Registry registry = factory.create(definition("redis:", TIMING));
        RedisClients.Listener listener = new RedisClients.Listener();
        registry.resolver().watch("payments", new RedisClients.Listener());
        registry.resolver().watch("orders", listener);
        await().until(() -> listener.changes.get() > 0);
        int before = listener.changes.get();

        registry.registrar().join(instance("orders", "one", 8081));

        await().until(() -> listener.changes.get() > before);
        assertThat(registry.resolver().lookup("orders").instances()).hasSize(1);
        assertThat(registry.resolver().services()).containsExactly("orders");
        registry.registrar().leave(instance("orders", "one", 8081));
        assertThat(registry.resolver().services()).isEmpty();
        registry.client().close();
        assertThat(listener.lost).hasValue(null);
    }

    @Test
    void asksWhichOfSeveralConnectionsItShallUse() {
        contexts.withBean("a", LettuceConnectionFactory.class, LettuceConnectionFactory::new)
                .withBean("b", LettuceConnectionFactory.class, LettuceConnectionFactory::new)
                .run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                        .isThrownBy(() -> context.getBean(RegistryFactory.class).create(definition("redis:", TIMING)))
                        .withMessageContaining("2 Redis connections"));
    }

    @Test
    void refusesAPasswordForTheApplicationsConnection() {
        contexts.withBean(LettuceConnectionFactory.class)
                .run(context -> assertThatExceptionOfType(InvalidConfigurationException.class)
                        .isThrownBy(() -> context.getBean(RegistryFactory.class)
                                .create(definition("redis", "redis:", TIMING, true, null, "bundle")))
                        .withMessageContaining("has no effect"));
    }
}
