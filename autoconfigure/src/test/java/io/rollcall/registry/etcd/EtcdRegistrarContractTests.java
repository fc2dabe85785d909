package io.rollcall.registry.etcd;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.RegistrarContract;
import io.rollcall.registry.Resolver;
import org.junit.jupiter.api.AutoClose;

class EtcdRegistrarContractTests extends RegistrarContract {

    @AutoClose
    private static final EtcdServerProcess server = EtcdServerProcess.running();

    @AutoClose
    private final EtcdClients clients = new EtcdClients();

    @Override
    protected Registrar newRegistrar() {
        return clients.registry(server.url()).registrar();
    }

    @Override
    protected Resolver resolver() {
        return clients.registry(server.url()).resolver();
    }

    @Override
    protected void wipe() {
        server.wipe();
    }
}
