package io.rollcall.endtoend;

import static io.rollcall.endtoend.Marker.PASSWORD;
import static io.rollcall.endtoend.Marker.TOKEN;
import static io.rollcall.endtoend.Marker.USER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.consul.ConsulServer;
import io.rollcall.registry.etcd.EtcdServerProcess;
import io.rollcall.registry.etcd.ForeignEtcd;
import io.rollcall.registry.eureka.EurekaServerProcess;
import io.rollcall.registry.eureka.GuardedServer;
import io.rollcall.registry.nacos.NacosServerProcess;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.registry.redis.RedisServerProcess.RawConnection;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import io.rollcall.servers.HoldingProxy;
import io.rollcall.servers.RegistryServer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.ParameterizedTypeReference;
import org.springframework.http.MediaType;
import org.springframework.web.client.RestClient;

/**
 * One application in every registry at once, each of which asks who one is, and once more in each at a place where nobody answers.
 * Whatever is logged, shown or named, no secret is in it.
 */
@Tag("resilience")
@ExtendWith(OutputCaptureExtension.class)
class SecretsTests {

    private static final List<String> REAL = List.of("redis", "zookeeper", "etcd", "consul", "nacos", "eureka");

    private static final RedisServerProcess redis = RedisServerProcess.stopped();

    private static final ZookeeperProcess zookeeper = new ZookeeperProcess();

    private static final EtcdServerProcess etcd = EtcdServerProcess.stopped();

    private static final NacosServerProcess nacos = new NacosServerProcess(
            "-Dnacos.core.auth.enabled=true",
            "-Dnacos.core.auth.system.type=test",
            "-Dnacos.core.auth.server.identity.key=test",
            "-Dnacos.core.auth.server.identity.value=test");

    private static ConsulServer consul;

    private static GuardedServer eureka;

    private static final List<HoldingProxy> proxies = new ArrayList<>();

    @BeforeAll
    static void start() {
        Stream.of(redis, zookeeper, etcd, nacos).parallel().forEach(RegistryServer::start);
        consul = ConsulServer.withToken(TOKEN);
        eureka = GuardedServer.before(EurekaServerProcess.shared());
        eureka.require(Marker.BASIC);
        try (RawConnection admin = redis.raw()) {
            admin.send("ACL SETUSER " + USER + " on >" + PASSWORD + " ~* &* +@all");
            admin.readUntil("OK");
        }
        try (ForeignEtcd admin = new ForeignEtcd(etcd.port())) {
            admin.addRole("root");
            admin.addUser("root", PASSWORD, "root");
            admin.addUser(USER, PASSWORD, "root");
            admin.enableLogin();
        }
    }

    @AfterAll
    static void stop() throws Exception {
        for (HoldingProxy proxy : proxies) {
            proxy.close();
        }
        eureka.close();
        Stream.of(redis, zookeeper, etcd, nacos, consul).forEach(RegistryServer::close);
    }

    private static String behindProxy(int port) {
        HoldingProxy proxy = HoldingProxy.to(port);
        proxies.add(proxy);
        return "127.0.0.1:" + proxy.port();
    }

    private static TestApplication application() {
        List<String> properties = new ArrayList<>(List.of(
                "rollcall.registries.redis.url=redis://" + behindProxy(redis.port()),
                "rollcall.registries.zookeeper.url=zookeeper://" + behindProxy(zookeeper.port()),
                "rollcall.registries.etcd.url=etcd://" + behindProxy(etcd.port()),
                "rollcall.registries.consul.url=" + consul.url(),
                "rollcall.registries.nacos.url=" + nacos.url(),
                "rollcall.registries.eureka.url=" + eureka.url(),
                "rollcall.registries.consul.token=" + TOKEN,
                "rollcall.registries.consul.health-check.mode=ttl",
                "rollcall.registries.consul-gone.url=consul://127.0.0.1:1?dc=dc1",
                "rollcall.registries.consul-gone.token=" + TOKEN));
        for (String kind : REAL) {
            String registry = "rollcall.registries." + kind;
            if (!kind.equals("consul")) {
                properties.add(registry + ".username=" + USER);
                properties.add(registry + ".password=" + PASSWORD);
                String path = kind.equals("eureka") ? "/eureka" : "";
                properties.add(registry + "-gone.url=" + kind + "://" + Marker.userInfo() + "@127.0.0.1:1" + path);
            }
            for (String each : List.of(registry, registry + "-gone")) {
                properties.addAll(List.of(each + ".interval=500ms", each + ".ttl=6s", each + ".timeout=4s"));
            }
        }
        return TestApplication.named(TestApplication.unique("orders-")).with(properties.toArray(String[]::new));
    }

    private static Map<String, RegistrationStatus> statuses(ConfigurableApplicationContext context) {
        return context.getBean(RollcallServiceRegistry.class)
                .statuses(context.getBean(PortRegistrations.class).primary());
    }

    private static RestClient actuator(ConfigurableApplicationContext context) {
        return RestClient.builder()
                .baseUrl("http://127.0.0.1:" + context.getEnvironment().getProperty("local.server.port"))
                .defaultStatusHandler(status -> true, (request, response) -> {})
                .build();
    }

    private static void awaitAllTried(ConfigurableApplicationContext context) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(() -> assertThat(statuses(context))
                        .hasSize(2 * REAL.size())
                        .allSatisfy((name, status) -> assertThat(status.state())
                                .as(name + " " + status)
                                .isEqualTo(
                                        REAL.contains(name)
                                                ? RegistrationState.REGISTERED
                                                : RegistrationState.RETRYING)));
        context.getBean(DiscoveryClient.class)
                .getInstances(context.getEnvironment().getProperty("spring.application.name"));
    }

    /** Every connection that can be cut is cut, so that all have to log in again. */
    private static void logInAgain(ConfigurableApplicationContext context) throws Exception {
        nacos.http("POST", "/test/expire", Map.of());
        Instant before = Instant.now();
        for (HoldingProxy proxy : proxies) {
            proxy.cut();
        }
        await().atMost(Duration.ofSeconds(60))
                .until(() -> REAL.stream()
                        .map(statuses(context)::get)
                        .allMatch(status -> status.state() == RegistrationState.REGISTERED
                                && status.lastSuccess().isAfter(before)));
    }

    private static void assertNothingShown(ConfigurableApplicationContext context) {
        RestClient client = actuator(context);
        Map<String, Map<String, Map<String, Object>>> links =
                client.get().uri("/actuator").retrieve().body(new ParameterizedTypeReference<>() {});
        List<String> endpoints = links.get("_links").values().stream()
                .map(link -> (String) link.get("href"))
                .filter(link -> !link.contains("{") && !link.endsWith("heapdump"))
                .toList();
        assertThat(endpoints)
                .extracting(link -> link.substring(link.lastIndexOf('/') + 1))
                .contains("env", "configprops", "beans", "conditions", "health", "registrations", "metrics")
                .contains("loggers", "threaddump", "serviceregistry", "info", "mappings");
        for (String endpoint : endpoints) {
            String answer = client.get()
                    .uri(endpoint)
                    .accept(MediaType.APPLICATION_JSON)
                    .retrieve()
                    .body(String.class);
            Marker.assertNotIn(endpoint, String.valueOf(answer));
        }
        Marker.assertNotIn(
                "names of threads",
                Thread.getAllStackTraces().keySet().stream()
                        .map(Thread::getName)
                        .toList());
        List<Object> beans = Stream.of(context.getBeanDefinitionNames())
                .map(context::getBean)
                .filter(bean -> bean.getClass().getName().startsWith("io.rollcall."))
                .toList();
        List<Object> objects = ReachableObjects.from(beans);
        assertThat(objects)
                .extracting(object -> object.getClass().getSimpleName())
                .contains("RegistryProperties", "Registry", "RegistryDefinition", "NacosLogin", "EtcdLogin");
        objects.forEach(object -> Marker.assertNotIn(object.getClass().getName(), object.toString()));
        statuses(context).forEach((name, status) -> Marker.assertNotIn(name, String.valueOf(status.lastError())));
    }

    @Test
    void fromTheStartAtTrace(CapturedOutput output) throws Exception {
        TestApplication application = application()
                .with(
                        "logging.level.root=TRACE",
                        "logging.level.io.lettuce=TRACE",
                        "logging.level.io.grpc=TRACE",
                        "logging.level.io.netty=TRACE",
                        "logging.level.org.apache=TRACE",
                        "logging.level.com.alibaba.nacos=TRACE",
                        "logging.level.com.alibaba.nacos.shaded.io.grpc=TRACE",
                        "logging.level.com.alibaba.nacos.common.remote.client=TRACE",
                        "logging.level.sun.net=TRACE",
                        "logging.level.jdk=TRACE");
        try (ConfigurableApplicationContext context = application.start()) {
            awaitAllTried(context);
            logInAgain(context);
            assertNothingShown(context);
        }
        assertThat(output.getAll()).contains(" TRACE ").contains("Registered");
        Marker.assertNotIn("the log", output.getAll());
    }

    @Test
    void fromARunningApplicationSetToTrace(CapturedOutput output) throws Exception {
        TestApplication application = application()
                .with(
                        "management.endpoint.env.show-values=always",
                        "management.endpoint.configprops.show-values=always");
        try (ConfigurableApplicationContext context = application.start()) {
            awaitAllTried(context);
            actuator(context)
                    .post()
                    .uri("/actuator/loggers/ROOT")
                    .contentType(MediaType.APPLICATION_JSON)
                    .body(Map.of("configuredLevel", "TRACE"))
                    .retrieve()
                    .toBodilessEntity();
            logInAgain(context);
            assertNothingShown(context);
        }
        assertThat(output.getAll()).contains(" TRACE ");
        Marker.assertNotIn("the log", output.getAll());
    }
}
