package io.rollcall.registry.consul;

import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.registry.HealthCheck;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryUrl;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.Resolver.WatchListener;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.beans.factory.support.StaticListableBeanFactory;
import org.springframework.mock.env.MockEnvironment;

/** Makes registries as the core does, and closes them. */
final class ConsulClients implements AutoCloseable {

    static final Timing TIMING = new Timing(Duration.ofSeconds(1), Duration.ofSeconds(30), Duration.ofSeconds(10));

    private final List<Registry> opened = new ArrayList<>();

    Registry open(RegistryDefinition definition) {
        Registry registry =
                new ConsulRegistryFactory(new StaticListableBeanFactory(), new MockEnvironment()).create(definition);
        opened.add(registry);
        return registry;
    }

    Registry open(String url, Mode mode) {
        return open(definition(url, mode, TIMING, null, null));
    }

    Registry open(String url) {
        return open(url, Mode.TTL);
    }

    static HealthCheck check(Mode mode) {
        return new HealthCheck(mode, null, Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofMinutes(1));
    }

    static RegistryDefinition definition(String url, Mode mode, Timing timing, String prefix, String token) {
        return definition(url, check(mode), timing, prefix, token);
    }

    static RegistryDefinition definition(String url, HealthCheck check, Timing timing, String prefix, String token) {
        RegistryUrl parsed = RegistryUrl.parse(url);
        return new RegistryDefinition(
                "consul",
                parsed,
                timing,
                true,
                true,
                null,
                prefix,
                new Credentials(parsed.username(), parsed.password(), token),
                null,
                check);
    }

    static Registrar registrar(Registry registry) {
        return Objects.requireNonNull(registry.registrar());
    }

    static Resolver resolver(Registry registry) {
        return Objects.requireNonNull(registry.resolver());
    }

    static Instance instance(String service, int port) {
        return new Instance(service + "-127.0.0.1-" + port, service, "127.0.0.1", port, false, Map.of("weight", "100"));
    }

    @Override
    public void close() {
        opened.forEach(registry -> registry.client().close());
        opened.clear();
    }

    /** Remembers what it is told. */
    static final class Listener implements WatchListener {

        final AtomicInteger changes = new AtomicInteger();

        final List<Exception> losses = new CopyOnWriteArrayList<>();

        @Override
        public void changed() {
            changes.incrementAndGet();
        }

        @Override
        public void lost(Exception cause) {
            losses.add(cause);
        }
    }
}
