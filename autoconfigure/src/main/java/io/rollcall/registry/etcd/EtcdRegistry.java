package io.rollcall.registry.etcd;

import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.SecretLogging;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.logging.LogLevel;

/** Puts one registry together. */
final class EtcdRegistry {

    /** At level DEBUG it prints all headers and data that are sent. */
    private static final String FRAME_LOGGER = "io.grpc.netty.NettyClientHandler";

    private EtcdRegistry() {}

    static Registry create(RegistryDefinition definition, EtcdSettings settings, BeanFactory beanFactory) {
        Timing timing = definition.timing();
        EtcdConnections connections = new EtcdConnections(
                definition.name(), settings.hosts(), timing.timeout(), EtcdTls.context(definition, beanFactory));
        if (settings.password() != null) {
            SecretLogging.limit(beanFactory, FRAME_LOGGER, LogLevel.INFO);
        }
        EtcdClient client = new EtcdClient(
                connections.hosts(), new EtcdLogin(settings.username(), settings.password()), timing.timeout());
        EtcdStore store = new EtcdStore(client);
        return definition.toRegistry(
                "etcd",
                new EtcdRegistrar(store, new EtcdLeases(client), settings.keys(), timing.ttl()),
                new EtcdResolver(client, store, settings.keys()),
                connections::close);
    }
}
