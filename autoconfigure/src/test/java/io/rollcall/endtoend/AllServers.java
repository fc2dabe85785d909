package io.rollcall.endtoend;

import io.rollcall.registry.consul.ConsulServer;
import io.rollcall.registry.etcd.EtcdServerProcess;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import io.rollcall.servers.RegistryServer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** A server of every kind of registry; registries are named by their kind. */
public final class AllServers implements AutoCloseable {

    private final List<RegistryServer> servers;

    /** Starts those that take no long time to, all at the same time. */
    public AllServers() {
        this(quick());
    }

    /** Starts these, all at the same time. */
    AllServers(List<RegistryServer> servers) {
        this.servers = List.copyOf(servers);
        servers.parallelStream().forEach(RegistryServer::start);
    }

    static List<RegistryServer> quick() {
        return List.of(
                RedisServerProcess.stopped(), new ZookeeperProcess(), EtcdServerProcess.stopped(), new ConsulServer());
    }

    /** Does something to all at the same time. */
    void forAll(java.util.function.Consumer<RegistryServer> action) {
        servers.parallelStream().forEach(action);
    }

    public Stream<String> kinds() {
        return servers.stream().map(RegistryServer::kind);
    }

    public RegistryServer of(String kind) {
        return servers.stream()
                .filter(server -> server.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }

    /** The properties of an application that is in all registries. */
    public List<String> properties() {
        return properties(kinds().toList());
    }

    /** The properties of an application that is in some registries. */
    public List<String> properties(List<String> kinds) {
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

    @Override
    public void close() {
        servers.forEach(RegistryServer::close);
    }
}
