package io.rollcall.endtoend;

import io.rollcall.registry.consul.ConsulServer;
import io.rollcall.registry.etcd.EtcdServerProcess;
import io.rollcall.registry.eureka.EurekaServerProcess;
import io.rollcall.registry.nacos.NacosServerProcess;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import io.rollcall.servers.RegistryServer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * A running server of every kind of registry, started when it is first asked for. Those of Java cost seconds, so all tests of this process
 * share them: whoever hurts one puts it right again. Registries are named by their kind.
 */
public final class AllServers {

    private static final Map<String, Supplier<RegistryServer>> STARTERS = starters();

    private static final Map<String, RegistryServer> RUNNING = new ConcurrentHashMap<>();

    private AllServers() {}

    private static Map<String, Supplier<RegistryServer>> starters() {
        Map<String, Supplier<RegistryServer>> starters = new LinkedHashMap<>();
        starters.put("redis", RedisServerProcess::running);
        starters.put("zookeeper", () -> started(new ZookeeperProcess()));
        starters.put("etcd", EtcdServerProcess::running);
        starters.put("consul", ConsulServer::running);
        starters.put("eureka", EurekaServerProcess::shared);
        starters.put("nacos", NacosServerProcess::shared);
        return starters;
    }

    private static RegistryServer started(RegistryServer server) {
        server.start();
        return server;
    }

    public static Stream<String> kinds() {
        return STARTERS.keySet().stream();
    }

    /** The server of that kind, which runs. */
    public static RegistryServer of(String kind) {
        return RUNNING.computeIfAbsent(kind, key -> {
            RegistryServer server = STARTERS.get(key).get();
            Runtime.getRuntime().addShutdownHook(new Thread(server::close));
            return server;
        });
    }

    /** Does something to several at the same time. */
    static void forAll(List<String> kinds, java.util.function.Consumer<RegistryServer> action) {
        kinds.parallelStream().map(AllServers::of).forEach(action);
    }

    /** The properties of an application that is in all registries. */
    public static List<String> properties() {
        return properties(kinds().toList());
    }

    /** The properties of an application that is in some registries. Those that do not run yet are started at the same time. */
    public static List<String> properties(List<String> kinds) {
        kinds.parallelStream().forEach(AllServers::of);
        // The command line, by which the properties come, does not keep their order.
        List<String> properties = new ArrayList<>(List.of("rollcall.discovery.order=" + String.join(",", kinds)));
        for (String kind : kinds) {
            String registry = "rollcall.registries." + kind;
            properties.addAll(List.of(
                    registry + ".url=" + of(kind).url(),
                    registry + ".interval=1s",
                    registry + ".ttl=6s",
                    registry + ".timeout=2s"));
        }
        return properties;
    }
}
