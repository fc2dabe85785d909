package io.rollcall.registry.eureka;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.ResolverContract;
import org.junit.jupiter.api.AutoClose;

class EurekaResolverContractTests extends ResolverContract {

    private final EurekaServerProcess server = EurekaServerProcess.shared();

    @AutoClose
    private final Registries registries = new Registries();

    private final Registrar registrar = registries.registrar(server.url());

    @Override
    protected Resolver newResolver() {
        return registries.resolver(server.url());
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
