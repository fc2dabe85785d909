package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.context.ConfigurableApplicationContext;

/** Applications in a real Redis and a real ZooKeeper at once, which are killed, paused and wiped under them. */
@Tag("resilience")
class TwoRegistriesTests {

    private static RedisServerProcess redis;

    private static ZookeeperProcess zookeeper;

    private final String service = TestApplication.unique("orders-");

    private ConfigurableApplicationContext consumer;

    @BeforeAll
    static void startServers() throws IOException {
        redis = RedisServerProcess.running();
        zookeeper = new ZookeeperProcess();
        zookeeper.start();
    }

    @AfterAll
    static void stopServers() {
        redis.close();
        zookeeper.close();
    }

    @BeforeEach
    void startConsumer() {
        consumer = inBoth(TestApplication.named("consumer"))
                .type(WebApplicationType.NONE)
                .with("rollcall.registration.enabled=false")
                .start();
    }

    @AfterEach
    void stopConsumer() {
        consumer.close();
    }

    private static List<String> inBoth() {
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

    private static TestApplication inBoth(TestApplication application) {
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
        await().atMost(Duration.ofSeconds(60))
                .until(() -> statuses(context).get(registry).state() == state);
    }

    /** However it fails, by a refused connection or by an answer that does not come. */
    private static void awaitFailing(ConfigurableApplicationContext context, String registry) {
        await().atMost(Duration.ofSeconds(60))
                .until(() -> statuses(context).get(registry).state() != RegistrationState.REGISTERED);
    }

    private static void awaitBoth(ConfigurableApplicationContext context) {
        awaitState(context, "redis", RegistrationState.REGISTERED);
        awaitState(context, "zk", RegistrationState.REGISTERED);
    }

    @Test
    void anApplicationInBothIsFoundOnceAndIsGoneFromBothWhenItStops() {
        try (ConfigurableApplicationContext context = provider().start()) {
            awaitBoth(context);
            await().until(() -> found().size() == 1 && found().get(0).toString().endsWith("in [redis, zk]"));
            assertThat(found().get(0).getPort()).isEqualTo(port(context));
            assertThat(found().get(0).getMetadata()).containsEntry("scheme", "http");
        }
        await().until(() -> found().isEmpty());
    }

    @Test
    void whatIsInOneRegistryOnlyIsFoundToo() {
        try (ConfigurableApplicationContext inRedis =
                        provider().with("rollcall.registries.zk.register=false").start();
                ConfigurableApplicationContext inZookeeper =
                        provider().with("rollcall.ports.http.registries=zk").start()) {
            await().until(() -> found().size() == 2);
            assertThat(found())
                    .extracting(ServiceInstance::getPort)
                    .containsExactlyInAnyOrder(port(inRedis), port(inZookeeper));
            await().until(() ->
                    consumer.getBean(DiscoveryClient.class).getServices().contains(service));
        }
    }

    @Test
    void theLoadBalancerSeesAChangeLongBeforeItsStockCacheWouldEnd() {
        LoadBalancerClient loadBalancer = consumer.getBean(LoadBalancerClient.class);
        try (ConfigurableApplicationContext context = provider().start()) {
            await().until(() -> loadBalancer.choose(service) != null);
            assertThat(loadBalancer.choose(service).getPort()).isEqualTo(port(context));
        }
        await().atMost(Duration.ofSeconds(20)).until(() -> loadBalancer.choose(service) == null);
        try (ConfigurableApplicationContext context = provider().start()) {
            await().atMost(Duration.ofSeconds(20)).until(() -> loadBalancer.choose(service) != null);
            assertThat(loadBalancer.choose(service).getPort()).isEqualTo(port(context));
        }
    }

    @Test
    void aRegistryThatIsKilledAndComesBackEmptyIsJoinedAgainWhileTheOtherAndTheConsumerNoticeNothing()
            throws Exception {
        try (ConfigurableApplicationContext context = provider().start()) {
            awaitBoth(context);
            await().until(() -> found().size() == 1);
            Sampler sampler = new Sampler();

            redis.kill();
            awaitFailing(context, "redis");
            assertThat(statuses(context).get("zk").state()).isEqualTo(RegistrationState.REGISTERED);
            awaitState(context, "redis", RegistrationState.LOST);
            redis.start();
            awaitState(context, "redis", RegistrationState.REGISTERED);
            await().until(() -> found().get(0).toString().endsWith("in [redis, zk]"));

            zookeeper.kill();
            awaitFailing(context, "zk");
            assertThat(statuses(context).get("redis").state()).isEqualTo(RegistrationState.REGISTERED);
            zookeeper.wipe();
            zookeeper.start();
            awaitState(context, "zk", RegistrationState.REGISTERED);
            await().atMost(Duration.ofSeconds(60))
                    .until(() -> found().get(0).toString().endsWith("in [redis, zk]"));

            assertThat(sampler.stop()).as("samples without the provider").isZero();
        }
        await().until(() -> found().isEmpty());
    }

    @Test
    void withBothRegistriesGoneTheLastListStaysAndBothAreJoinedAgain() throws Exception {
        try (ConfigurableApplicationContext context = provider().start()) {
            awaitBoth(context);
            await().until(() -> found().size() == 1);
            Sampler sampler = new Sampler();

            redis.kill();
            zookeeper.kill();
            awaitState(context, "redis", RegistrationState.LOST);
            awaitState(context, "zk", RegistrationState.LOST);
            redis.start();
            zookeeper.wipe();
            zookeeper.start();
            awaitBoth(context);

            assertThat(sampler.stop()).as("samples without the provider").isZero();
        }
    }

    @Test
    void anApplicationStartsAndStopsWhileBothRegistriesHang() throws Exception {
        redis.pause();
        zookeeper.pause();
        try (ConfigurableApplicationContext context = provider().start()) {
            await().until(() -> statuses(context).values().stream().allMatch(status -> status.attempts() > 0));
            redis.resume();
            awaitState(context, "redis", RegistrationState.REGISTERED);
            assertThat(statuses(context).get("zk").state()).isNotEqualTo(RegistrationState.REGISTERED);
            zookeeper.resume();
            awaitState(context, "zk", RegistrationState.REGISTERED);
            await().until(() -> found().size() == 1);
            redis.pause();
            zookeeper.pause();
        } finally {
            redis.resume();
            zookeeper.resume();
        }
        // What could not be taken out ends with its lease, and nobody writes it again.
        await().atMost(Duration.ofSeconds(60)).until(() -> found().isEmpty());
    }

    @Test
    void aProcessThatIsKilledLeavesTheListsWithoutAnybodyAnnouncingIt() {
        try (ProviderProcess process = ProviderProcess.start(service, inBoth())) {
            await().atMost(Duration.ofSeconds(60))
                    .until(() ->
                            found().size() == 1 && found().get(0).toString().endsWith("in [redis, zk]"));
            process.kill();

            await().atMost(Duration.ofSeconds(30)).until(() -> found().isEmpty());
            try (RedisServerProcess.RawConnection connection = redis.raw()) {
                connection.send("SCARD swoole:service:" + service);
                assertThat(connection.readUntil(":0")).isNotEmpty();
            }
        }
    }

    @Test
    void aProcessThatIsStoppedLeavesFirst() {
        try (ProviderProcess process = ProviderProcess.start(service, inBoth())) {
            await().atMost(Duration.ofSeconds(60)).until(() -> found().size() == 1);

            process.terminate();

            await().until(() -> found().isEmpty());
        }
    }

    /** Looks the service up every few milliseconds, and counts how often it is not there. */
    private final class Sampler {

        private final AtomicInteger missing = new AtomicInteger();

        private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

        private final Future<?> sampling = executor.scheduleAtFixedRate(this::sample, 0, 5, TimeUnit.MILLISECONDS);

        private void sample() {
            if (found().isEmpty()) {
                missing.incrementAndGet();
            }
        }

        int stop() throws InterruptedException {
            assertThat(sampling.isDone()).as("a look-up has failed").isFalse();
            executor.shutdown();
            assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
            return missing.get();
        }
    }
}
