package io.rollcall.registry.nacos;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryUrl;
import io.rollcall.registry.Resolver;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** Makes registries as the core does, and closes them. */
final class NacosRegistries implements AutoCloseable {

    static final Timing TIMING = new Timing(Duration.ofSeconds(1), Duration.ofSeconds(10), Duration.ofSeconds(10));

    private static final Credentials NONE = new Credentials(null, null, null);

    private final List<Registry> opened = new ArrayList<>();

    Registry open(String url) {
        return open(url, TIMING, NONE);
    }

    Registry open(String url, Timing timing) {
        return open(url, timing, NONE);
    }

    Registry open(String url, Timing timing, Credentials credentials) {
        return open(definition(url, timing, null, credentials));
    }

    Registry open(RegistryDefinition definition) {
        Registry registry =
                new NacosRegistryFactory(new StaticListableBeanFactory(), Clock.systemUTC()).create(definition);
        opened.add(registry);
        return registry;
    }

    static RegistryDefinition definition(String url, Timing timing, String prefix, Credentials credentials) {
        return new RegistryDefinition(
                "nacos", RegistryUrl.parse(url), timing, true, true, null, prefix, credentials, null);
    }

    static Registrar registrar(Registry registry) {
        return Objects.requireNonNull(registry.registrar());
    }

    static Resolver resolver(Registry registry) {
        return Objects.requireNonNull(registry.resolver());
    }

    @Override
    public void close() {
        opened.forEach(registry -> registry.client().close());
        opened.clear();
    }
}
