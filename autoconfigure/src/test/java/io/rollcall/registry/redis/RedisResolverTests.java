package io.rollcall.registry.redis;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.ResolverContract;
import org.junit.jupiter.api.AutoClose;

class RedisResolverTests extends ResolverContract {

    @AutoClose
    private static final RedisServerProcess server = RedisServerProcess.running();

    @AutoClose
    private final RedisClients clients = new RedisClients();

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
        clients.wipe(server);
    }
}
