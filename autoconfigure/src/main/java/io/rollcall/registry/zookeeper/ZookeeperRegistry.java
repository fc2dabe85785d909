package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Json;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import java.time.Clock;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.data.ACL;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;

/** Puts one registry together. */
final class ZookeeperRegistry {

    private ZookeeperRegistry() {}

    static Registry create(
            RegistryDefinition definition, ZookeeperSettings settings, BeanFactory beanFactory, Clock clock) {
        ZookeeperConnection connection = settings.ownConnection()
                ? new OwnConnection(definition.name(), settings, definition.timing())
                : new SharedConnection(applicationCurator(definition, beanFactory));
        ServicePaths paths = new ServicePaths(connection.namespace() + settings.chroot() + settings.prefix());
        NodeCodec codec = new NodeCodec(new Json());
        NodeWriter writer = new NodeWriter(settings.chroot(), acl(settings));
        return definition.toRegistry(
                ZookeeperRegistryFactory.TYPE,
                new ZookeeperRegistrar(connection, paths, codec, writer, clock),
                new ZookeeperResolver(connection, paths, codec),
                connection);
    }

    /** With credentials only their owner changes an entry, but everybody still finds it. */
    private static List<ACL> acl(ZookeeperSettings settings) {
        return settings.digest() == null
                ? Ids.OPEN_ACL_UNSAFE
                : List.of(Ids.CREATOR_ALL_ACL.get(0), Ids.READ_ACL_UNSAFE.get(0));
    }

    private static CuratorFramework applicationCurator(RegistryDefinition definition, BeanFactory beanFactory) {
        try {
            return beanFactory.getBean(CuratorFramework.class);
        } catch (NoSuchBeanDefinitionException ex) {
            boolean several = ex.getNumberOfBeansFound() > 1;
            throw definition.invalidUrl(
                    several
                            ? "the application has several CuratorFramework beans and none of them is primary"
                            : "it names no host and the application has no CuratorFramework bean",
                    several
                            ? "Mark one of them @Primary, or name the hosts: zookeeper://host:2181."
                            : "Name the hosts, as in zookeeper://host:2181, or set spring.cloud.zookeeper.connect-string"
                                    + " with spring-cloud-starter-zookeeper on the class path.");
        }
    }
}
