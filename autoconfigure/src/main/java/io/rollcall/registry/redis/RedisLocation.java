package io.rollcall.registry.redis;

import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryUrl;
import java.util.Set;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration.WithAuthentication;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;

/** Reads where a Redis is from a registry's URL. */
final class RedisLocation {

    private static final int REDIS_PORT = 6379;

    private static final int SENTINEL_PORT = 26379;

    private static final String SENTINEL_FORM =
            "Write redis-sentinel://host:port,host:port/master, with ?db=n if need be.";

    private final RegistryDefinition definition;

    private final RegistryUrl url;

    private RedisLocation(RegistryDefinition definition) {
        this.definition = definition;
        this.url = definition.url();
    }

    static RedisConfiguration of(RegistryDefinition definition) {
        RedisLocation location = new RedisLocation(definition);
        return definition.url().scheme().equals("redis-sentinel") ? location.sentinel() : location.standalone();
    }

    private RedisConfiguration standalone() {
        if (url.endpoints().size() > 1) {
            throw definition.invalidUrl("it names several hosts", "Name one host, or use redis-sentinel://.");
        }
        checkQuery(Set.of(), "Write redis://host:port/database.");
        RegistryUrl.Endpoint endpoint = url.endpoints().get(0);
        RedisStandaloneConfiguration configuration =
                new RedisStandaloneConfiguration(endpoint.host(), endpoint.portOr(REDIS_PORT));
        configuration.setDatabase(database(url.path()));
        authenticate(configuration);
        return configuration;
    }

    private RedisConfiguration sentinel() {
        if (url.path().isBlank() || url.path().contains("/")) {
            throw definition.invalidUrl("it does not name the master after the hosts", SENTINEL_FORM);
        }
        checkQuery(Set.of("db"), SENTINEL_FORM);
        RedisSentinelConfiguration configuration = new RedisSentinelConfiguration().master(url.path());
        url.endpoints().forEach(endpoint -> configuration.sentinel(endpoint.host(), endpoint.portOr(SENTINEL_PORT)));
        configuration.setDatabase(database(url.query().getOrDefault("db", "")));
        authenticate(configuration);
        return configuration;
    }

    private void authenticate(WithAuthentication configuration) {
        RegistryDefinition.Credentials credentials = definition.credentials();
        String username = credentials.username();
        String password = credentials.password();
        if (username != null && password == null) {
            throw definition.invalidUrl(
                    "there is a user without a password", "Set " + definition.property("password") + ".");
        }
        configuration.setUsername(username);
        if (password != null) {
            configuration.setPassword(password);
        }
    }

    private int database(String text) {
        if (text.isEmpty()) {
            return 0;
        }
        if (!text.matches("\\d{1,6}")) {
            throw definition.invalidUrl(
                    "the database '" + text + "' is not a number", "Databases are numbered from 0, mostly to 15.");
        }
        return Integer.parseInt(text);
    }

    private void checkQuery(Set<String> known, String remedy) {
        for (String key : url.query().keySet()) {
            if (!known.contains(key)) {
                throw definition.invalidUrl("it has an unknown parameter '" + key + "'", remedy);
            }
        }
    }
}
