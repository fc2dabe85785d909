package io.rollcall.endtoend;

import io.lettuce.core.RedisClient;
import io.lettuce.core.api.sync.RedisCommands;
import io.rollcall.registry.consul.ConsulServer;
import io.rollcall.registry.etcd.EtcdServerProcess;
import io.rollcall.registry.etcd.ForeignEtcd;
import io.rollcall.registry.eureka.EurekaServerProcess;
import io.rollcall.registry.nacos.NacosServerProcess;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import io.rollcall.servers.RegistryServer;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.retry.RetryOneTime;
import org.springframework.boot.json.JsonWriter;

/** A real server of every kind, and a program beside each that writes what it likes, in that registry's own place and format. */
final class ForeignWriters implements AutoCloseable {

    private final RedisServerProcess redis = RedisServerProcess.stopped();

    private final ZookeeperProcess zookeeper = new ZookeeperProcess();

    private final EtcdServerProcess etcd = EtcdServerProcess.stopped();

    private final ConsulServer consul = new ConsulServer();

    private final NacosServerProcess nacos = NacosServerProcess.shared();

    private final EurekaServerProcess eureka = EurekaServerProcess.shared();

    private final Map<String, Writer> writers = new LinkedHashMap<>();

    private final Map<String, RegistryServer> servers = new LinkedHashMap<>();

    private final RedisClient redisClient;

    private final CuratorFramework curator;

    private final ForeignEtcd etcdClient;

    /** Puts something where instances of a service are. */
    @FunctionalInterface
    interface Writer {

        /**
         * @param service the service
         * @param id tells it from others; made of letters, digits and dashes
         * @param host as the registry's format has it; null for none
         * @param port likewise
         */
        void write(String service, String id, Object host, Object port) throws Exception;
    }

    ForeignWriters() {
        Stream.of(redis, zookeeper, etcd, consul).parallel().forEach(RegistryServer::start);
        Stream.of(redis, zookeeper, etcd, consul, nacos, eureka).forEach(server -> servers.put(server.kind(), server));
        redisClient = RedisClient.create("redis://127.0.0.1:" + redis.port());
        curator = CuratorFrameworkFactory.newClient(zookeeper.address(), new RetryOneTime(100));
        curator.start();
        etcdClient = new ForeignEtcd(etcd.port());
        RedisCommands<String, String> commands = redisClient.connect().sync();
        writers.put("redis", (service, id, host, port) -> {
            String base = "rollcall:{swoole:service:" + service + "}:";
            commands.hset(base + "instances", id, json("id", id, "service", service, "host", host, "port", port));
            commands.zadd(base + "leases", 4e12, id);
            commands.publish(base + "changes", "join " + id);
        });
        writers.put("zookeeper", (service, id, host, port) -> node(service, id, json("address", host, "port", port)));
        writers.put(
                "etcd",
                (service, id, host, port) ->
                        etcdClient.put("/" + service + "/" + id, json("Id", id, "Addr", host + ":" + port)));
        writers.put(
                "consul",
                (service, id, host, port) -> consul.plant(
                        service, "{\"Service\":" + json("ID", id, "Address", host, "Port", port) + ",\"Checks\":[]}"));
        writers.put("nacos", (service, id, host, port) -> {
            try {
                nacos.http(
                        "POST",
                        "/v1/ns/instance",
                        Map.of(
                                "serviceName",
                                service,
                                "ip",
                                String.valueOf(host),
                                "port",
                                String.valueOf(port),
                                "ephemeral",
                                "true",
                                "metadata",
                                "{\"preserved.heart.beat.timeout\":600000}"));
            } catch (UncheckedIOException ex) {
                // The server itself refuses the worst.
            }
        });
        writers.put("eureka", (service, id, host, port) -> {
            String application = service.toUpperCase(Locale.ROOT);
            eureka.send(
                    "POST",
                    "/apps/" + application,
                    "{\"instance\":{\"instanceId\":\"" + id + "\",\"app\":\"" + application
                            + "\",\"status\":\"UP\",\"port\":" + json("$", port, "@enabled", "true")
                            + ",\"dataCenterInfo\":{\"@class\":"
                            + "\"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo\",\"name\":\"MyOwn\"},"
                            + json("hostName", host, "ipAddr", host).substring(1) + "}");
        });
    }

    private void node(String service, String id, String data) throws Exception {
        curator.create()
                .orSetData()
                .creatingParentsIfNeeded()
                .forPath("/services/" + service + "/" + id, data.getBytes(StandardCharsets.UTF_8));
    }

    private static String json(Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            object.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return JsonWriter.standard().writeToString(object);
    }

    Map<String, Writer> writers() {
        return writers;
    }

    RegistryServer server(String kind) {
        return servers.get(kind);
    }

    @Override
    public void close() {
        redisClient.shutdown();
        curator.close();
        etcdClient.close();
        Stream.of(redis, zookeeper, etcd, consul).forEach(RegistryServer::close);
    }
}
