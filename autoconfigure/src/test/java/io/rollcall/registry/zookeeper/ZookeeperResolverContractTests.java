package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.ResolverContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;

class ZookeeperResolverContractTests extends ResolverContract {

    private static EmbeddedZookeeper zookeeper;

    private final Registries registries = new Registries();

    private Registry registry;

    @BeforeAll
    static void start() throws Exception {
        zookeeper = new EmbeddedZookeeper();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @BeforeEach
    void open() {
        registry = registries.open(zookeeper.url());
    }

    @AfterEach
    void close() {
        registries.close();
    }

    @Override
    protected Resolver newResolver() {
        return Registries.resolver(registries.open(zookeeper.url()));
    }

    @Override
    protected Registrar registrar() {
        return Registries.registrar(registry);
    }

    @Override
    protected void wipe() throws Exception {
        zookeeper.wipe();
    }
}
