package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.servers.RegistryServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications in a real Redis and a real ZooKeeper at once, which hang when these start and stop. {@link AllRegistriesTests} has more. */
@Tag("resilience")
class TwoRegistriesTests {

    private final RedisServerProcess redis = (RedisServerProcess) AllServers.of("redis");

    private final RegistryServer zookeeper = AllServers.of("zookeeper");

    private final String service = TestApplication.unique("orders-");

    private ConfigurableApplicationContext consumer;

    @BeforeEach
    void startConsumer() {
        consumer = inBoth(TestApplication.named("consumer"))
                .type(WebApplicationType.NONE)
                .with("rollcall.registration.enabled=false", "spring.cloud.loadbalancer.cache.ttl=1h")
                .start();
    }

    @AfterEach
    void stopConsumer() {
        consumer.close();
    }

    private List<String> inBoth() {
        // The command line, by which the properties come, does not keep their order.
        List<String> properties = new ArrayList<>(List.of("rollcall.discovery.order=redis,zk"));
        for (String name : List.of("redis", "zk")) {
            properties.addAll(List.of(
                    "rollcall.registries." + name + ".url=" + (name.equals("redis") ? redis.url() : zookeeper.url()),
                    "rollcall.registries." + name + ".interval=500ms",
                    "rollcall.registries." + name + ".ttl=4s",
                    "rollcall.registries." + name + ".timeout=1500ms"));
        }
        return properties;
    }

    private TestApplication inBoth(TestApplication application) {
        return application.with(inBoth().toArray(String[]::new));
    }

    private TestApplication provider() {
        return inBoth(TestApplication.named(service));
    }

    private List<ServiceInstance> found() {
        return consumer.getBean(DiscoveryClient.class).getInstances(service);
    }

    private static int port(ConfigurableApplicationContext context) {
        return context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
    }

    private static Map<String, RegistrationStatus> statuses(ConfigurableApplicationContext context) {
        return context.getBean(RollcallServiceRegistry.class)
                .statuses(context.getBean(PortRegistrations.class).primary());
    }

    private static void awaitState(ConfigurableApplicationContext context, String registry, RegistrationState state) {
        await().atMost(Duration.ofMinutes(3))
                .until(() -> statuses(context).get(registry).state() == state);
    }

    private static void awaitBoth(ConfigurableApplicationContext context) {
        awaitState(context, "redis", RegistrationState.REGISTERED);
        awaitState(context, "zk", RegistrationState.REGISTERED);
    }

    @Test
    void anApplicationInBothIsFoundOnceAndIsGoneFromBothWhenItStops() {
        try (ConfigurableApplicationContext context = provider().start()) {
            awaitBoth(context);
            await().atMost(Duration.ofMinutes(3))
                    .until(() ->
                            found().size() == 1 && found().get(0).toString().endsWith("in [redis, zk]"));
            assertThat(found().get(0).getPort()).isEqualTo(port(context));
            assertThat(found().get(0).getMetadata()).containsEntry("scheme", "http");
        }
        await().atMost(Duration.ofMinutes(3)).until(() -> found().isEmpty());
    }

    @Test
    void whatIsInOneRegistryOnlyIsFoundToo() {
        try (ConfigurableApplicationContext inRedis =
                        provider().with("rollcall.registries.zk.register=false").start();
                ConfigurableApplicationContext inZookeeper =
                        provider().with("rollcall.ports.http.registries=zk").start()) {
            await().atMost(Duration.ofMinutes(3)).until(() -> found().size() == 2);
            assertThat(found())
                    .extracting(ServiceInstance::getPort)
                    .containsExactlyInAnyOrder(port(inRedis), port(inZookeeper));
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> consumer.getBean(DiscoveryClient.class)
                            .getServices()
                            .contains(service));
        }
    }

    @Test
    void theLoadBalancerSeesAChangeLongBeforeItsStockCacheWouldEnd() {
        LoadBalancerClient loadBalancer = consumer.getBean(LoadBalancerClient.class);
        try (ConfigurableApplicationContext context = provider().start()) {
            await().atMost(Duration.ofMinutes(3)).until(() -> loadBalancer.choose(service) != null);
            assertThat(loadBalancer.choose(service).getPort()).isEqualTo(port(context));
        }
        await().atMost(Duration.ofMinutes(3)).until(() -> loadBalancer.choose(service) == null);
        try (ConfigurableApplicationContext context = provider().start()) {
            await().atMost(Duration.ofMinutes(3)).until(() -> loadBalancer.choose(service) != null);
            assertThat(loadBalancer.choose(service).getPort()).isEqualTo(port(context));
        }
    }

    @Test
    void anApplicationStartsAndStopsWhileBothRegistriesHang() throws Exception {
        redis.pause();
        zookeeper.pause();
        try (ConfigurableApplicationContext context = provider().start()) {
            await().atMost(Duration.ofMinutes(3))
                    .until(() -> statuses(context).values().stream().allMatch(status -> status.attempts() > 0));
            redis.resume();
            awaitState(context, "redis", RegistrationState.REGISTERED);
            assertThat(statuses(context).get("zk").state()).isNotEqualTo(RegistrationState.REGISTERED);
            zookeeper.resume();
            awaitState(context, "zk", RegistrationState.REGISTERED);
            await().atMost(Duration.ofMinutes(3)).until(() -> found().size() == 1);
            redis.pause();
            zookeeper.pause();
        } finally {
            redis.resume();
            zookeeper.resume();
        }
        // What could not be taken out ends with its lease, and nobody writes it again.
        await().atMost(Duration.ofMinutes(3)).until(() -> found().isEmpty());
    }

    @Test
    void aProcessThatIsKilledLeavesTheListsWithoutAnybodyAnnouncingIt() {
        try (ProviderProcess process = ProviderProcess.start(service, inBoth())) {
            await().atMost(Duration.ofMinutes(3))
                    .until(() ->
                            found().size() == 1 && found().get(0).toString().endsWith("in [redis, zk]"));
            process.kill();

            await().atMost(Duration.ofMinutes(3)).until(() -> found().isEmpty());
            try (RedisServerProcess.RawConnection connection = redis.raw()) {
                connection.send("SCARD swoole:service:" + service);
                assertThat(connection.readUntil(":0")).isNotEmpty();
            }
        }
    }

    @Test
    void aProcessThatIsStoppedLeavesFirst() {
        try (ProviderProcess process = ProviderProcess.start(service, inBoth())) {
            await().atMost(Duration.ofMinutes(3)).until(() -> found().size() == 1);

            process.terminate();

            await().atMost(Duration.ofMinutes(3)).until(() -> found().isEmpty());
        }
    }
}
