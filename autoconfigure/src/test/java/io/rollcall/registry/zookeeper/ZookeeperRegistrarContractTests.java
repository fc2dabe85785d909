package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.RegistrarContract;
import io.rollcall.registry.Resolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;

class ZookeeperRegistrarContractTests extends RegistrarContract {

    private static EmbeddedZookeeper zookeeper;

    private final Registries registries = new Registries();

    @BeforeAll
    static void start() throws Exception {
        zookeeper = new EmbeddedZookeeper();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @AfterEach
    void close() {
        registries.close();
    }

    @Override
    protected Registrar newRegistrar() {
        return Registries.registrar(registries.open(zookeeper.url()));
    }

    @Override
    protected Resolver resolver() {
        return Registries.resolver(registries.open(zookeeper.url()));
    }

    @Override
    protected void wipe() throws Exception {
        zookeeper.wipe();
    }
}
