package io.rollcall.registry.nacos;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;

/** Makes registries from {@code nacos:} URLs. Refers to no class of the client library, which may be missing. */
final class NacosRegistryFactory implements RegistryFactory {

    static final String TYPE = "nacos";

    private final BeanFactory beanFactory;

    private final Clock clock;

    NacosRegistryFactory(BeanFactory beanFactory, Clock clock) {
        this.beanFactory = beanFactory;
        this.clock = clock;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(TYPE);
    }

    @Override
    public List<String> requiredClasses() {
        return List.of("com.alibaba.nacos.common.remote.client.grpc.GrpcClientConfig");
    }

    @Override
    public List<String> coordinates() {
        return List.of("com.alibaba.nacos:nacos-client");
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        return NacosRegistry.create(definition, NacosSettings.of(definition), beanFactory, clock);
    }
}
