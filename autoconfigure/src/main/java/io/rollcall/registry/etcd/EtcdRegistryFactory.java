package io.rollcall.registry.etcd;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;

/** Makes registries of {@code etcd} and {@code etcds} URLs. Refers to no class of the client library, which may be missing. */
final class EtcdRegistryFactory implements RegistryFactory {

    private final BeanFactory beanFactory;

    EtcdRegistryFactory(BeanFactory beanFactory) {
        this.beanFactory = beanFactory;
    }

    @Override
    public Set<String> schemes() {
        return Set.of("etcd", "etcds");
    }

    @Override
    public List<String> requiredClasses() {
        return List.of("io.etcd.jetcd.api.KVGrpc", "io.grpc.netty.NettyChannelBuilder");
    }

    @Override
    public List<String> coordinates() {
        return List.of("io.etcd:jetcd-grpc");
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        return EtcdRegistry.create(definition, EtcdSettings.of(definition), beanFactory);
    }
}
