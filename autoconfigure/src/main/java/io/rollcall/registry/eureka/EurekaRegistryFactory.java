package io.rollcall.registry.eureka;

import io.rollcall.registry.Json;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryHttp;
import io.rollcall.registry.RegistryTls;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;

/** Makes registries from {@code eureka:} URLs. */
final class EurekaRegistryFactory implements RegistryFactory {

    static final String TYPE = "eureka";

    static final String WITH_TLS = "eurekas";

    private final BeanFactory beanFactory;

    private final Clock clock;

    EurekaRegistryFactory(BeanFactory beanFactory, Clock clock) {
        this.beanFactory = beanFactory;
        this.clock = clock;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(TYPE, WITH_TLS);
    }

    @Override
    public List<String> requiredClasses() {
        return List.of(RegistryHttp.REQUIRED_CLASS);
    }

    @Override
    public List<String> coordinates() {
        return List.of(RegistryHttp.COORDINATES);
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        EurekaSettings settings = EurekaSettings.of(definition);
        Registry.Timing timing = definition.timing();
        // A renewal is two calls, which have to be done within one timeout.
        Duration timeout = timing.timeout().dividedBy(2);
        RegistryHttp client = new RegistryHttp(
                definition.name(), RegistryTls.bundle(definition, beanFactory), timeout, settings.headers());
        InstanceCodec codec = new InstanceCodec(new Json());
        EurekaServer server = new EurekaServer(new EurekaHttp(settings, client, timeout), codec);
        Duration pause = timing.interval().isZero() ? Registry.Timing.DEFAULT.interval() : timing.interval();
        ChangePoller poller = new ChangePoller(server, definition.name(), pause);
        return definition.toRegistry(
                TYPE,
                new EurekaRegistrar(server, codec, timing, clock, System::nanoTime),
                new EurekaResolver(server, poller),
                () -> {
                    poller.close();
                    client.close();
                });
    }
}
