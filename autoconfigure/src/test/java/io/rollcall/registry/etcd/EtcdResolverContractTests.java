package io.rollcall.registry.etcd;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.ResolverContract;
import org.junit.jupiter.api.AutoClose;

class EtcdResolverContractTests extends ResolverContract {

    @AutoClose
    private static final EtcdServerProcess server = EtcdServerProcess.running();

    @AutoClose
    private final EtcdClients clients = new EtcdClients();

    private final Registrar registrar = clients.registry(server.url()).registrar();

    @Override
    protected Resolver newResolver() {
        return clients.registry(server.url()).resolver();
    }

    @Override
    protected Registrar registrar() {
        return registrar;
    }

    @Override
    protected void wipe() {
        server.wipe();
    }
}
