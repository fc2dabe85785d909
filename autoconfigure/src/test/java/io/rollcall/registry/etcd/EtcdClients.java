package io.rollcall.registry.etcd;

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

/** Makes registries as several processes would have them, and closes them all. */
final class EtcdClients implements AutoCloseable {

    static final Timing TIMING = new Timing(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(3));

    private final List<Registry> opened = new ArrayList<>();

    private final BeanFactory beanFactory;

    EtcdClients() {
        this(new StaticListableBeanFactory());
    }

    EtcdClients(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    Registry registry(RegistryDefinition definition) {
        Registry registry = new EtcdRegistryFactory(beanFactory).create(definition);
        opened.add(registry);
        return registry;
    }

    Registry registry(String url) {
        return registry(url, TIMING);
    }

    Registry registry(String url, Timing timing) {
        return registry(definition("etcd", url, timing, null, null));
    }

    static RegistryDefinition definition(String name, String url, Timing timing, String prefix, String sslBundle) {
        RegistryUrl parsed = RegistryUrl.parse(url);
        return new RegistryDefinition(
                name,
                parsed,
                timing,
                true,
                true,
                null,
                prefix,
                new Credentials(parsed.username(), parsed.password(), null),
                sslBundle);
    }

    static Instance instance(String service, int port) {
        return new Instance(service + "-" + port, service, "10.0.0.1", port, false, Map.of("weight", "100"));
    }

    @Override
    public void close() {
        opened.forEach(registry -> registry.client().close());
        opened.clear();
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
