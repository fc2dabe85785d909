package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryFactory;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClientSpecification;
import org.springframework.cloud.zookeeper.ZookeeperHealthIndicator;
import org.springframework.cloud.zookeeper.discovery.ZookeeperDiscoveryClient;
import org.springframework.cloud.zookeeper.discovery.ZookeeperDiscoveryHealthIndicator;
import org.springframework.cloud.zookeeper.discovery.ZookeeperLoadBalancerConfiguration;
import org.springframework.cloud.zookeeper.discovery.ZookeeperServiceWatch;
import org.springframework.context.ConfigurableApplicationContext;

/** Whole applications with the stock starters on the class path. */
class BesideStockStartersTests {

    private static EmbeddedZookeeper zookeeper;

    @BeforeAll
    static void start() throws Exception {
        zookeeper = new EmbeddedZookeeper();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @AfterEach
    void wipe() throws Exception {
        zookeeper.wipe();
    }

    private static ConfigurableApplicationContext run(String... properties) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "rollcall.registration.drain-wait=0s",
                        "server.address=127.0.0.1",
                        "spring.application.name=second",
                        "spring.cloud.consul.enabled=false",
                        "eureka.client.enabled=false",
                        "management.endpoints.web.exposure.include=*")
                .run(Stream.of(properties).map(property -> "--" + property).toArray(String[]::new));
    }

    private static List<Class<?>> loadBalancerConfigurations(ConfigurableApplicationContext context) {
        return context.getBeansOfType(LoadBalancerClientSpecification.class).values().stream()
                .flatMap(specification -> Stream.<Class<?>>of(specification.getConfiguration()))
                .toList();
    }

    private static boolean isRegistered() throws Exception {
        try (ForeignClient foreign = new ForeignClient(zookeeper.address())) {
            return foreign.stat("/services/second") != null;
        }
    }

    @Test
    void theJarAloneDoesNothing() {
        try (ConfigurableApplicationContext context = run()) {
            assertThat(context.getBeanProvider(CuratorFramework.class)).isEmpty();
            assertThat(context.getBeanProvider(ZookeeperDiscoveryClient.class)).isEmpty();
            assertThat(context.getBeanProvider(ZookeeperHealthIndicator.class)).isEmpty();
            assertThat(context.getBeanProvider(ZookeeperDiscoveryHealthIndicator.class))
                    .isEmpty();
            assertThat(context.getBeanProvider(ZookeeperServiceWatch.class)).isEmpty();
            assertThat(loadBalancerConfigurations(context)).doesNotContain(ZookeeperLoadBalancerConfiguration.class);
            assertThat(Thread.getAllStackTraces().keySet())
                    .noneSatisfy(thread -> assertThat(thread.getName()).contains("localhost:2181"));
        }
    }

    @Test
    void aConnectionOfTheApplicationRegistersNothingASecondTime() throws Exception {
        try (ConfigurableApplicationContext context =
                run("spring.cloud.zookeeper.connect-string=" + zookeeper.address())) {
            assertThat(context.getBean(CuratorFramework.class).getState()).isEqualTo(CuratorFrameworkState.STARTED);
            assertThat(loadBalancerConfigurations(context)).doesNotContain(ZookeeperLoadBalancerConfiguration.class);
            assertThat(isRegistered()).isFalse();
        }
    }

    @Test
    void withoutRollcallTheStockStarterRegistersAndFiltersAsEver() {
        try (ConfigurableApplicationContext context =
                run("rollcall.enabled=false", "spring.cloud.zookeeper.connect-string=" + zookeeper.address())) {
            assertThat(loadBalancerConfigurations(context)).contains(ZookeeperLoadBalancerConfiguration.class);
            await().until(BesideStockStartersTests::isRegistered);
        }
    }

    @Test
    void theApplicationsOwnConnectionIsUsedAndLeftOpen() throws Exception {
        try (ConfigurableApplicationContext context = run(
                "spring.cloud.zookeeper.connect-string=" + zookeeper.address(),
                "rollcall.registries.zk.url=zookeeper:")) {
            CuratorFramework curator = context.getBean(CuratorFramework.class);
            Registry registry = factory(context)
                    .create(Registries.definition("zookeeper:", Timing.DEFAULT, new Credentials(null, null, null)));
            Instance instance = new Instance("third-1", "third", "10.0.0.1", 80, false, Map.of());
            RecordingListener listener = new RecordingListener();
            Registries.resolver(registry).watch("third", listener);

            Registries.registrar(registry).join(instance);

            listener.awaitMoreChangesThan(0);
            assertThat(Registries.resolver(registry).lookup("third").instances())
                    .containsExactly(instance);
            assertThat(curator.checkExists().forPath("/services/third/third-1").getEphemeralOwner())
                    .isEqualTo(curator.getZookeeperClient().getZooKeeper().getSessionId());
            assertThat(context.getBeanProvider(ZookeeperDiscoveryClient.class)).isEmpty();
            await().until(BesideStockStartersTests::isRegistered);
            assertThat(curator.getChildren().forPath("/services/second")).hasSize(1);
            registry.client().close();
            assertThat(curator.getState()).isEqualTo(CuratorFrameworkState.STARTED);
        }
    }

    private static RegistryFactory factory(ConfigurableApplicationContext context) {
        return context.getBeansOfType(RegistryFactory.class).values().stream()
                .filter(factory -> factory.schemes().contains("zookeeper"))
                .findFirst()
                .orElseThrow();
    }

    @EnableAutoConfiguration
    static class Application {}
}
