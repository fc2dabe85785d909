package io.rollcall.registry.etcd;

import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition;
import org.springframework.beans.factory.BeanFactory;

/** Puts one registry together. */
final class EtcdRegistry {

    private EtcdRegistry() {}

    static Registry create(RegistryDefinition definition, EtcdSettings settings, BeanFactory beanFactory) {
        Timing timing = definition.timing();
        EtcdConnections connections = new EtcdConnections(
                definition.name(), settings.hosts(), timing.timeout(), EtcdTls.context(definition, beanFactory));
        if (settings.password() != null) {
            PasswordLogging.prevent(beanFactory);
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
