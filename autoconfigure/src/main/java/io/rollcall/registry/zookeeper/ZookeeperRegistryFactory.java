package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;

/** Makes registries from {@code zookeeper:} URLs. Refers to no class of the client library, which may be missing. */
final class ZookeeperRegistryFactory implements RegistryFactory {

    static final String TYPE = "zookeeper";

    private final BeanFactory beanFactory;

    private final Clock clock;

    ZookeeperRegistryFactory(BeanFactory beanFactory, Clock clock) {
        this.beanFactory = beanFactory;
        this.clock = clock;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(TYPE);
    }

    @Override
    public List<String> requiredClasses() {
        return List.of("org.apache.curator.framework.CuratorFramework", "org.apache.zookeeper.ZooKeeper");
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.apache.curator:curator-framework");
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        return ZookeeperRegistry.create(definition, ZookeeperSettings.of(definition), beanFactory, clock);
    }
}
