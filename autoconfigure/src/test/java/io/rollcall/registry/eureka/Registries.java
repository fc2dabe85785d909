package io.rollcall.registry.eureka;

import io.rollcall.registry.Instance;
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
import java.util.Map;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.support.StaticListableBeanFactory;

/** Makes registries as the core does, and closes them. */
final class Registries implements AutoCloseable {

    /** Patient, since a server that has just started compiles as it answers; and with frequent polls. */
    static final Timing TIMING = new Timing(Duration.ofMillis(500), Duration.ofSeconds(60), Duration.ofSeconds(10));

    private final List<Registry> opened = new ArrayList<>();

    private final BeanFactory beanFactory;

    Registries() {
        this(new StaticListableBeanFactory());
    }

    Registries(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    static RegistryDefinition definition(String url, Timing timing, String bundle) {
        RegistryUrl parsed = RegistryUrl.parse(url);
        Credentials credentials = new Credentials(parsed.username(), parsed.password(), null);
        return new RegistryDefinition("eureka", parsed, timing, true, true, null, null, credentials, bundle);
    }

    Registry open(RegistryDefinition definition) {
        Registry registry = new EurekaRegistryFactory(beanFactory, Clock.systemUTC()).create(definition);
        opened.add(registry);
        return registry;
    }

    Registry open(String url, Timing timing) {
        return open(definition(url, timing, null));
    }

    Registrar registrar(String url) {
        return open(url, TIMING).registrar();
    }

    Resolver resolver(String url) {
        return open(url, TIMING).resolver();
    }

    static Instance instance(String service, String id, int port) {
        return new Instance(id, service, "127.0.0.1", port, false, Map.of("zone", "a"));
    }

    @Override
    public void close() {
        opened.forEach(registry -> registry.client().close());
        opened.clear();
    }
}
