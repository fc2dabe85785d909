package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registry.consul.ConsulServer;
import io.rollcall.registry.etcd.EtcdServerProcess;
import io.rollcall.registry.etcd.ForeignEtcd;
import io.rollcall.registry.eureka.EurekaServerProcess;
import io.rollcall.registry.nacos.NacosServerProcess;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import io.rollcall.servers.HoldingProxy;
import io.rollcall.servers.Ports;
import io.rollcall.servers.RegistryServer;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A provider that loses all of its registries, or the processor, while its port stays open; a consumer that does not. */
@Tag("resilience")
class PartitionTests {

    /** Beyond what any registry waits for. */
    private static final Duration LONG = Duration.ofSeconds(90);

    private static final int FLAPS = 8;

    private static final int GRPC = 1000;

    private static final String SERVICE = TestApplication.unique("orders-");

    private static final RedisServerProcess redis = RedisServerProcess.stopped();

    private static final ZookeeperProcess zookeeper = new ZookeeperProcess();

    private static final EtcdServerProcess etcd = EtcdServerProcess.stopped();

    private static final ConsulServer consul = new ConsulServer();

    private static final NacosServerProcess nacos = new NacosServerProcess();

    private static final EurekaServerProcess eureka = new EurekaServerProcess();

    private static final List<RegistryServer> SERVERS = List.of(redis, zookeeper, etcd, consul, nacos, eureka);

    /** By the registry's kind, what its provider connects to. */
    private static final Map<String, HoldingProxy> proxies = new LinkedHashMap<>();

    private static ProviderProcess provider;

    private static Consumer consumer;

    @BeforeAll
    static void start() {
        SERVERS.parallelStream().forEach(RegistryServer::start);
        Map<String, String> urls = new LinkedHashMap<>();
        for (RegistryServer server : SERVERS) {
            URI url = URI.create(server.url());
            HoldingProxy proxy = before(server.kind(), url.getPort());
            proxies.put(server.kind(), proxy);
            int port = server == nacos ? proxy.port() - GRPC : proxy.port();
            urls.put(server.kind(), server.url().replace(":" + url.getPort(), ":" + port));
        }
        List<String> through = new ArrayList<>(timing());
        urls.forEach((kind, url) -> through.add("rollcall.registries." + kind + ".url=" + url));
        provider = ProviderProcess.start(SERVICE, through);
        List<String> directly = new ArrayList<>(timing());
        for (RegistryServer server : SERVERS) {
            directly.add("rollcall.registries." + server.kind() + ".url=" + server.url());
        }
        consumer = new Consumer(SERVICE, directly);
    }

    /** Nacos's clients ask by gRPC, at a port that they compute from the one they know. */
    private static HoldingProxy before(String kind, int port) {
        return kind.equals("nacos") ? HoldingProxy.at(Ports.reserve(GRPC) + GRPC, port + GRPC) : HoldingProxy.to(port);
    }

    private static List<String> timing() {
        List<String> properties = new ArrayList<>(List.of(
                "rollcall.discovery.order=redis,zookeeper,etcd,consul,nacos,eureka",
                "rollcall.discovery.watch-delay=1s",
                "rollcall.registries.consul.health-check.mode=ttl"));
        for (String kind : proxies.keySet()) {
            properties.add("rollcall.registries." + kind + ".interval=1s");
            properties.add("rollcall.registries." + kind + ".ttl=5s");
            properties.add("rollcall.registries." + kind + ".timeout=3s");
        }
        return properties;
    }

    @AfterAll
    static void stop() throws Exception {
        consumer.close();
        provider.close();
        for (HoldingProxy proxy : proxies.values()) {
            proxy.close();
        }
        SERVERS.forEach(RegistryServer::close);
    }

    @BeforeEach
    void isListedEverywhere() {
        await().atMost(LONG).until(() -> consumer.findsOneIn(proxies.keySet().stream()));
    }

    private static void awaitGone() {
        await().atMost(LONG).until(() -> consumer.found().isEmpty());
    }

    private static boolean answers() throws IOException {
        HttpURLConnection connection = (HttpURLConnection) URI.create("http://127.0.0.1:" + provider.port() + "/port")
                .toURL()
                .openConnection();
        connection.setReadTimeout(30_000);
        return connection.getResponseCode() == 200;
    }

    @Test
    void whoIsCutOffFromAllRegistriesVanishesAndComesBack() throws Exception {
        for (HoldingProxy proxy : proxies.values()) {
            proxy.block();
        }
        awaitGone();
        assertThat(answers()).isTrue();

        proxies.values().forEach(HoldingProxy::unblock);

        isListedEverywhere();
    }

    @Test
    void whoIsPausedForLongerThanItsTtlVanishesAndComesBack() {
        provider.pause();
        try {
            awaitGone();
        } finally {
            provider.resume();
        }

        isListedEverywhere();
    }

    @Test
    void aFlappingConnectionIsNoStormOfWrites() throws Exception {
        long before = etcdWrites();
        consul.takeRequests();
        for (int i = 0; i < FLAPS; i++) {
            for (HoldingProxy proxy : proxies.values()) {
                proxy.block();
            }
            pause();
            proxies.values().forEach(HoldingProxy::unblock);
            pause();
        }

        isListedEverywhere();
        assertThat(etcdWrites() - before).as("writes in etcd").isLessThanOrEqualTo(3L * FLAPS);
        assertThat(consul.takeRequests().stream().filter(request -> request.contains("/agent/service/register")))
                .as("registrations in Consul")
                .hasSizeLessThanOrEqualTo(FLAPS);
    }

    /** How long the connection is there or not: what this test is about, and nothing that it waits for. */
    private static void pause() throws InterruptedException {
        Thread.sleep(700);
    }

    /** Every write there has a revision of its own. */
    private static long etcdWrites() {
        try (ForeignEtcd client = new ForeignEtcd(etcd.port())) {
            return client.revision();
        }
    }
}
