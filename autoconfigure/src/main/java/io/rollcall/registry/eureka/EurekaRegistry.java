package io.rollcall.registry.eureka;

import io.rollcall.registry.Json;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.BeanFactory;

/** Puts one registry together. */
final class EurekaRegistry {

    private EurekaRegistry() {}

    static Registry create(
            RegistryDefinition definition, EurekaSettings settings, BeanFactory beanFactory, Clock clock) {
        if (settings.authorization() != null) {
            HeaderLogging.prevent(beanFactory);
        }
        Registry.Timing timing = definition.timing();
        // A renewal is two calls, which have to be done within one timeout.
        EurekaHttp http = new EurekaHttp(
                settings,
                EurekaTls.socketFactory(definition, beanFactory),
                timing.timeout().dividedBy(2));
        InstanceCodec codec = new InstanceCodec(new Json());
        EurekaServer server = new EurekaServer(http, codec);
        Duration pause = timing.interval().isZero() ? Registry.Timing.DEFAULT.interval() : timing.interval();
        ChangePoller poller = new ChangePoller(server, definition.name(), pause);
        return definition.toRegistry(
                EurekaRegistryFactory.TYPE,
                new EurekaRegistrar(server, codec, timing, clock, System::nanoTime),
                new EurekaResolver(server, poller),
                poller::close);
    }
}
