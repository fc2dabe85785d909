package io.rollcall.sample.demo;

import java.io.IOException;
import java.util.List;

/** The demonstration's servers without its applications. */
public final class Servers implements AutoCloseable {

    private final List<RegistryServer> servers = List.of(new EmbeddedRedis(), new EmbeddedZookeeper());

    private Servers() throws IOException {}

    public static Servers start() throws IOException {
        Servers started = new Servers();
        for (RegistryServer server : started.servers) {
            server.start();
        }
        return started;
    }

    /** What names each of them to an application. */
    public List<String> properties() {
        return servers.stream()
                .map(server -> "--rollcall.registries." + server.name() + ".url=" + server.url())
                .toList();
    }

    @Override
    public void close() {
        servers.forEach(RegistryServer::close);
    }
}
