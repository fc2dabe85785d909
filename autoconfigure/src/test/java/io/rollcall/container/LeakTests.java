package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.autoconfigure.RollcallAutoConfiguration;
import io.rollcall.discovery.DiscoveryAutoConfiguration;
import io.rollcall.discovery.LiveServices;
import io.rollcall.endtoend.AllServers;
import io.rollcall.registration.RegistrationAutoConfiguration;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RollcallRegistration;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.consul.ConsulRegistryAutoConfiguration;
import io.rollcall.registry.etcd.EtcdRegistryAutoConfiguration;
import io.rollcall.registry.eureka.EurekaRegistryAutoConfiguration;
import io.rollcall.registry.nacos.NacosRegistryAutoConfiguration;
import io.rollcall.registry.redis.RedisRegistryAutoConfiguration;
import io.rollcall.registry.zookeeper.ZookeeperRegistryAutoConfiguration;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.ssl.SslAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.commons.util.UtilAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Applications come and go, names are asked for, sessions are lost: threads, sockets, watches and heap are what they were. */
@Tag("resilience")
class LeakTests {

    private static final int TIMES = 50;

    private static final int NAMES = 1000;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final String service = TestApplication.unique("orders-");

    private static final List<String> ALL = AllServers.kinds().toList();

    private static ForcedLosses losses;

    private static Observer observer;

    @BeforeAll
    static void start() {
        observer = new Observer(AllServers.properties());
        losses = new ForcedLosses();
    }

    @AfterAll
    static void stop() {
        observer.close();
    }

    /** Little beside Rollcall, so that fifty of them take seconds. */
    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        UtilAutoConfiguration.class,
        SslAutoConfiguration.class,
        RollcallAutoConfiguration.class,
        RegistrationAutoConfiguration.class,
        DiscoveryAutoConfiguration.class,
        RedisRegistryAutoConfiguration.class,
        ZookeeperRegistryAutoConfiguration.class,
        EtcdRegistryAutoConfiguration.class,
        ConsulRegistryAutoConfiguration.class,
        EurekaRegistryAutoConfiguration.class,
        NacosRegistryAutoConfiguration.class
    })
    static class Application {}

    private ConfigurableApplicationContext open(List<String> kinds) {
        Map<String, String> properties = new LinkedHashMap<>();
        for (String property : AllServers.properties(kinds)) {
            String[] pair = property.split("=", 2);
            properties.put(pair[0], pair[1]);
        }
        properties.put("spring.application.name", service);
        properties.put("spring.main.banner-mode", "off");
        properties.put("rollcall.ports.http.port", "8080");
        properties.put("rollcall.registration.drain-wait", "0s");
        properties.put("rollcall.discovery.watch-delay", "1s");
        if (kinds.contains("consul")) {
            // Nobody listens on that port.
            properties.put("rollcall.registries.consul.health-check.mode", "none");
        }
        for (String kind : kinds) {
            properties.put("rollcall.registries." + kind + ".address", "127.0.0.1");
            properties.put("rollcall.registries." + kind + ".interval", "300ms");
        }
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .run(properties.entrySet().stream()
                        .map(property -> "--" + property.getKey() + "=" + property.getValue())
                        .toArray(String[]::new));
        awaitRegistered(context, kinds);
        return context;
    }

    private void awaitRegistered(ConfigurableApplicationContext context, List<String> kinds) {
        RollcallServiceRegistry registry = context.getBean(RollcallServiceRegistry.class);
        RollcallRegistration registration = context.getBean(RollcallRegistration.class);
        LiveServices services = context.getBean(LiveServices.class);
        await().pollInSameThread()
                .atMost(PATIENCE)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(20))
                .until(() -> registry.statuses(registration).size() == kinds.size()
                        && registry.statuses(registration).values().stream()
                                .allMatch(status -> status.state() == RegistrationState.REGISTERED)
                        && services.peekInstances(service).toString().contains("in " + kinds));
    }

    @Test
    void fiftyContextsLeaveNothingBehind(TestReporter reporter) throws Exception {
        for (int i = 0; i < 5; i++) {
            open(ALL).close();
        }
        Holdings before = Holdings.settled(losses);
        List<WeakReference<ConfigurableApplicationContext>> closed = new ArrayList<>();

        for (int i = 0; i < TIMES; i++) {
            ConfigurableApplicationContext context = open(ALL);
            context.close();
            closed.add(new WeakReference<>(context));
        }

        before.awaitAgain(losses, reporter);
        // The last one may still be in a frame of this method.
        assertThat(closed.subList(0, TIMES - 1)).allMatch(reference -> reference.get() == null);
    }

    @Test
    void aThousandNamesThatNobodyHasLeaveNothingBehind(TestReporter reporter) throws Exception {
        try (ConfigurableApplicationContext context = open(ALL)) {
            LiveServices services = context.getBean(LiveServices.class);
            lookUp(services, 100);
            awaitForgotten(services);
            Holdings before = Holdings.settled(losses);

            lookUp(services, NAMES);
            awaitForgotten(services);

            before.awaitAgain(losses, reporter);
        }
    }

    private static void lookUp(LiveServices services, int names) {
        List<CompletableFuture<List<ServiceInstance>>> answers = IntStream.range(0, names)
                .mapToObj(i -> services.findInstances("nobody-" + UUID.randomUUID()))
                .toList();
        assertThat(answers)
                .allSatisfy(
                        answer -> assertThat(answer.get(60, TimeUnit.SECONDS)).isEmpty());
    }

    private void awaitForgotten(LiveServices services) {
        await().pollInSameThread().atMost(PATIENCE).until(() -> {
            services.peekInstances(service);
            return services.snapshot().size() == 1;
        });
    }

    @Test
    void fiftyLostSessionsLeaveNothingBehind(TestReporter reporter) throws Exception {
        try (ConfigurableApplicationContext context = open(ALL)) {
            String path = "/services/" + service + "/"
                    + context.getBean(RollcallRegistration.class).getInstanceId();
            for (int i = 0; i < 3; i++) {
                lose(context, path);
            }
            Holdings before = Holdings.settled(losses);

            for (int i = 0; i < TIMES; i++) {
                lose(context, path);
            }

            before.awaitAgain(losses, reporter);
        }
    }

    private void lose(ConfigurableApplicationContext context, String path) throws Exception {
        losses.expireSession(path);
        losses.revokeLeases();
        losses.killConnections();
        await().pollInSameThread()
                .atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(50))
                .ignoreExceptions()
                .until(() -> observer.listsOneEverywhere(service, "nothing", null));
        awaitRegistered(context, ALL);
    }
}
