package io.rollcall.registry.nacos;

import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.RegistrarContract;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

class NacosRegistrarContractTests extends RegistrarContract {

    private final NacosServerProcess server = NacosServerProcess.shared();

    @AutoClose
    private final NacosRegistries registries = new NacosRegistries();

    private Registry reader;

    @BeforeEach
    void open() {
        reader = registries.open(server.url());
    }

    @Override
    protected Registrar newRegistrar() {
        return NacosRegistries.registrar(registries.open(server.url()));
    }

    @Override
    protected Resolver resolver() {
        return new SettledResolver(NacosRegistries.resolver(reader));
    }

    @Override
    protected boolean restoresByItself() {
        return true;
    }

    @Override
    protected void wipe() {
        server.wipe();
        // All clients have lost their connection, the reader too.
        await().ignoreExceptions().until(() -> {
            resolver().lookup("any");
            return true;
        });
    }
}
