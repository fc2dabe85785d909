package io.rollcall.registry.consul;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.ResolverContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConsulResolverContractTests extends ResolverContract {

    private static ConsulServer server;

    @AutoClose
    private final ConsulClients clients = new ConsulClients();

    private Registry registry;

    @BeforeAll
    static void start() {
        server = ConsulServer.running();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        registry = clients.open(server.url());
    }

    @Override
    protected Resolver newResolver() {
        return ConsulClients.resolver(clients.open(server.url()));
    }

    @Override
    protected Registrar registrar() {
        return new SyncedRegistrar(ConsulClients.registrar(registry), server);
    }

    @Override
    protected void wipe() {
        server.wipe();
    }

    @Test
    @Override
    protected void hasAnotherIncarnationAfterTheRegistryHasLostItsData() throws Exception {
        ConsulServer.skipIfReal("it can not lose its data, only be told to remove instances, which is no loss");
        super.hasAnotherIncarnationAfterTheRegistryHasLostItsData();
    }
}
