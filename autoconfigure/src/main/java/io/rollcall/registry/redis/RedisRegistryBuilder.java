package io.rollcall.registry.redis;

import io.lettuce.core.SslOptions;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.SecretLogging;
import java.time.Duration;
import java.util.concurrent.ThreadFactory;
import java.util.function.Supplier;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoUniqueBeanDefinitionException;
import org.springframework.boot.logging.LogLevel;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Makes one registry. */
final class RedisRegistryBuilder {

    /** At level TRACE it prints every command, the one that logs in included. */
    private static final String COMMAND_LOGGER = "io.lettuce.core.protocol.CommandEncoder";

    private final RegistryDefinition definition;

    private final BeanFactory beanFactory;

    private final RedisScripts scripts = RedisScripts.load();

    RedisRegistryBuilder(RegistryDefinition definition, BeanFactory beanFactory) {
        this.definition = definition;
        this.beanFactory = beanFactory;
    }

    Registry build() {
        if (definition.register() && definition.timing().interval().isZero()) {
            throw new InvalidConfigurationException(
                    definition.property("interval"),
                    "0",
                    "Redis checks nothing itself, and would forget the instance",
                    "Set it to the time between two renewals, such as '5s'.");
        }
        if (definition.credentials().token() != null) {
            throw new InvalidConfigurationException(
                    definition.property("token"),
                    null,
                    "Redis knows no tokens",
                    "Set " + definition.property("password") + ", and " + definition.property("username")
                            + " unless it is the default user's.");
        }
        RedisKeys keys = keys();
        return definition.url().endpoints().isEmpty() ? shared(keys) : own(keys);
    }

    private RedisKeys keys() {
        String prefix = definition.prefix();
        if (prefix == null || prefix.isBlank()) {
            return new RedisKeys(RedisKeys.DEFAULT_PREFIX);
        }
        if (prefix.indexOf('{') >= 0 || prefix.indexOf('}') >= 0) {
            throw new InvalidConfigurationException(
                    definition.property("prefix"),
                    prefix,
                    "braces in it would move the keys of a service to different slots of a cluster",
                    "Leave the braces out.");
        }
        return new RedisKeys(prefix.strip());
    }

    /** On the application's connection, which is not ours to close or to reset. */
    private Registry shared(RedisKeys keys) {
        RedisConnectionFactory factory = applicationsFactory();
        RedisLink link = new RedisLink(() -> factory, () -> {});
        Subscriptions subscriptions = subscriptions(() -> factory);
        return registry(keys, link, link, subscriptions, subscriptions::close);
    }

    /** On connections of its own, one for each role so that neither waits for the other. */
    private Registry own(RedisKeys keys) {
        RedisConfiguration location = RedisLocation.of(definition);
        SslOptions sslOptions = RedisTls.options(definition, beanFactory);
        if (definition.credentials().password() != null) {
            SecretLogging.limit(beanFactory, COMMAND_LOGGER, LogLevel.INFO);
        }
        LazyConnections connections =
                new LazyConnections(() -> OwnConnections.create(definition, location, sslOptions));
        Subscriptions subscriptions = subscriptions(() -> connections.get().listening());
        return registry(
                keys,
                new RedisLink(
                        () -> connections.get().registering(),
                        () -> connections.get().registering().resetConnection()),
                new RedisLink(
                        () -> connections.get().resolving(),
                        () -> connections.get().resolving().resetConnection()),
                subscriptions,
                () -> {
                    subscriptions.close();
                    connections.close();
                });
    }

    private Registry registry(
            RedisKeys keys,
            RedisLink registering,
            RedisLink resolving,
            Subscriptions subscriptions,
            Registry.Client client) {
        return definition.toRegistry(
                "redis",
                new RedisRegistrar(registering, scripts, keys, definition.timing()),
                new RedisResolver(resolving, scripts, keys, subscriptions, definition.register()),
                client);
    }

    private Subscriptions subscriptions(Supplier<? extends RedisConnectionFactory> factory) {
        Duration timeout = definition.timing().timeout();
        return new Subscriptions(factory, timeout, daemons(definition.name(), "watch"));
    }

    static ThreadFactory daemons(String registry, String role) {
        CustomizableThreadFactory threads = new CustomizableThreadFactory("rollcall-" + registry + "-" + role + "-");
        threads.setDaemon(true);
        return threads;
    }

    private RedisConnectionFactory applicationsFactory() {
        if (!definition.url().scheme().equals("redis")
                || !definition.url().path().isEmpty()
                || !definition.url().query().isEmpty()) {
            throw definition.invalidUrl(
                    "it names no host",
                    "Write redis://host:port, or 'redis:' alone for the application's own connection.");
        }
        RegistryDefinition.Credentials credentials = definition.credentials();
        if (credentials.username() != null || credentials.password() != null || definition.sslBundle() != null) {
            throw definition.invalidUrl(
                    "with the application's own connection a user, password or SSL bundle of the registry has no effect",
                    "Set them under spring.data.redis, or give a host.");
        }
        try {
            RedisConnectionFactory factory =
                    beanFactory.getBeanProvider(RedisConnectionFactory.class).getIfAvailable();
            if (factory == null) {
                throw definition.invalidUrl(
                        "the application has no Redis connection of its own (no RedisConnectionFactory bean)",
                        "Add spring-boot-starter-data-redis, or give a host: redis://host:port.");
            }
            return factory;
        } catch (NoUniqueBeanDefinitionException ex) {
            InvalidConfigurationException invalid = definition.invalidUrl(
                    "the application has " + ex.getNumberOfBeansFound()
                            + " Redis connections (RedisConnectionFactory beans)",
                    "Mark one of them @Primary, or give a host: redis://host:port.");
            invalid.initCause(ex);
            throw invalid;
        }
    }
}
