package io.rollcall.registry.consul;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.RegistrarContract;
import io.rollcall.registry.Resolver;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;

class ConsulRegistrarContractTests extends RegistrarContract {

    private static ConsulServer server;

    @AutoClose
    private final ConsulClients clients = new ConsulClients();

    @BeforeAll
    static void start() {
        server = ConsulServer.running();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @Override
    protected Registrar newRegistrar() {
        return new SyncedRegistrar(ConsulClients.registrar(clients.open(server.url())), server);
    }

    @Override
    protected Resolver resolver() {
        return ConsulClients.resolver(clients.open(server.url()));
    }

    @Override
    protected void wipe() {
        server.wipe();
    }
}
