package io.rollcall.registry.eureka;

import io.rollcall.registry.Json;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryTls;
import io.rollcall.registry.SecretLogging;
import java.time.Clock;
import java.time.Duration;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.ssl.SslBundle;

/** Puts one registry together. */
final class EurekaRegistry {

    /** At level DEBUG it prints the headers of every request. */
    private static final String HEADER_LOGGER = "sun.net.www.protocol.http.HttpURLConnection";

    private EurekaRegistry() {}

    static Registry create(
            RegistryDefinition definition, EurekaSettings settings, BeanFactory beanFactory, Clock clock) {
        if (settings.authorization() != null) {
            SecretLogging.limit(beanFactory, HEADER_LOGGER, LogLevel.INFO);
        }
        Registry.Timing timing = definition.timing();
        // A renewal is two calls, which have to be done within one timeout.
        SslBundle tls = RegistryTls.bundle(definition, beanFactory);
        EurekaHttp http = new EurekaHttp(
                settings,
                tls == null ? null : tls.createSslContext().getSocketFactory(),
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
