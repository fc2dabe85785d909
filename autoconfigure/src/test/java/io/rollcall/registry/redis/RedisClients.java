package io.rollcall.registry.redis;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryUrl;
import io.rollcall.registry.Resolver.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.RedisCallback;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Makes registries as several processes would have them, and a bare client to look behind them; closes them all. */
final class RedisClients implements AutoCloseable {

    static final Timing TIMING = new Timing(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(3));

    private final List<Runnable> closers = new ArrayList<>();

    private final BeanFactory beanFactory;

    RedisClients() {
        this(new StaticListableBeanFactory());
    }

    RedisClients(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    Registry registry(RegistryDefinition definition) {
        Registry registry = new RedisRegistryFactory(beanFactory).create(definition);
        closers.add(registry.client()::close);
        return registry;
    }

    Registry registry(String url) {
        return registry(definition(url, TIMING));
    }

    Registry registry(String url, Timing timing) {
        return registry(definition(url, timing));
    }

    static Timing ttl(Duration ttl) {
        return new Timing(ttl.dividedBy(3), ttl, Duration.ofSeconds(3));
    }

    static RegistryDefinition definition(String url, Timing timing) {
        return definition("redis", url, timing, true, null, null);
    }

    static RegistryDefinition definition(
            String name, String url, Timing timing, boolean register, String prefix, String sslBundle) {
        RegistryUrl parsed = RegistryUrl.parse(url);
        Credentials credentials = new Credentials(parsed.username(), parsed.password(), null);
        return new RegistryDefinition(name, parsed, timing, register, true, null, prefix, credentials, sslBundle);
    }

    /** A client beside Rollcall's. */
    StringRedisTemplate template(int port) {
        LettuceConnectionFactory factory = new LettuceConnectionFactory("127.0.0.1", port);
        factory.afterPropertiesSet();
        closers.add(factory::destroy);
        return new StringRedisTemplate(factory);
    }

    void wipe(RedisServerProcess server) {
        template(server.port()).execute((RedisCallback<Object>) connection -> {
            connection.serverCommands().flushAll();
            return null;
        });
    }

    static Instance instance(String service, String id, int port) {
        return new Instance(id, service, "127.0.0.1", port, false, Map.of("weight", "100"));
    }

    @Override
    public void close() {
        for (int i = closers.size() - 1; i >= 0; i--) {
            closers.get(i).run();
        }
        closers.clear();
    }

    /** Counts what it is told. */
    static final class Listener implements WatchListener {

        final AtomicInteger changes = new AtomicInteger();

        final AtomicReference<Exception> lost = new AtomicReference<>();

        @Override
        public void changed() {
            changes.incrementAndGet();
        }

        @Override
        public void lost(Exception cause) {
            lost.set(cause);
        }
    }
}
