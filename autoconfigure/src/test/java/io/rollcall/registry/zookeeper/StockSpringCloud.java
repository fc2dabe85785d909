package io.rollcall.registry.zookeeper;

import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.x.discovery.ServiceDiscovery;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;
import org.springframework.cloud.zookeeper.ZookeeperAutoConfiguration;
import org.springframework.cloud.zookeeper.discovery.ZookeeperDiscoveryAutoConfiguration;
import org.springframework.cloud.zookeeper.discovery.ZookeeperDiscoveryClient;
import org.springframework.cloud.zookeeper.discovery.ZookeeperDiscoveryClientConfiguration;
import org.springframework.cloud.zookeeper.discovery.ZookeeperInstance;
import org.springframework.cloud.zookeeper.serviceregistry.ServiceInstanceRegistration;
import org.springframework.cloud.zookeeper.serviceregistry.ZookeeperRegistration;
import org.springframework.cloud.zookeeper.serviceregistry.ZookeeperServiceRegistry;
import org.springframework.cloud.zookeeper.serviceregistry.ZookeeperServiceRegistryAutoConfiguration;
import org.springframework.cloud.zookeeper.support.CuratorServiceDiscoveryAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;

/** The stock Spring Cloud ZooKeeper, with its own beans, as another application runs it. */
final class StockSpringCloud implements AutoCloseable {

    private final ConfigurableApplicationContext context;

    StockSpringCloud(String address) {
        context = new SpringApplicationBuilder(Stock.class)
                .web(WebApplicationType.NONE)
                .properties(
                        "rollcall.enabled=false",
                        "spring.application.name=stock",
                        "spring.cloud.zookeeper.connect-string=" + address,
                        "spring.cloud.service-registry.auto-registration.enabled=false",
                        "logging.level.root=warn")
                .run();
    }

    List<ServiceInstance> instances(String service) {
        return context.getBean(ZookeeperDiscoveryClient.class).getInstances(service);
    }

    List<String> services() {
        return context.getBean(ZookeeperDiscoveryClient.class).getServices();
    }

    ZookeeperServiceRegistry registry() {
        return context.getBean(ZookeeperServiceRegistry.class);
    }

    @SuppressWarnings("unchecked")
    ServiceDiscovery<ZookeeperInstance> discovery() {
        return context.getBean(ServiceDiscovery.class);
    }

    CuratorFramework curator() {
        return context.getBean(CuratorFramework.class);
    }

    ZookeeperRegistration registration(ServiceInstanceRegistration.RegistrationBuilder builder) {
        return builder.defaultUriSpec().build();
    }

    @Override
    public void close() {
        context.close();
    }

    @SpringBootConfiguration
    @ImportAutoConfiguration({
        UtilAutoConfiguration.class,
        ZookeeperAutoConfiguration.class,
        ZookeeperDiscoveryAutoConfiguration.class,
        ZookeeperDiscoveryClientConfiguration.class,
        CuratorServiceDiscoveryAutoConfiguration.class,
        ZookeeperServiceRegistryAutoConfiguration.class
    })
    static class Stock {}
}
