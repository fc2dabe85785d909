package io.rollcall.registry.nacos;

import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.ResolverContract;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;

class NacosResolverContractTests extends ResolverContract {

    private final NacosServerProcess server = NacosServerProcess.shared();

    @AutoClose
    private final NacosRegistries registries = new NacosRegistries();

    private Registry registry;

    private Resolver latest;

    @BeforeEach
    void open() {
        registry = registries.open(server.url());
    }

    @Override
    protected Resolver newResolver() {
        latest = NacosRegistries.resolver(registries.open(server.url()));
        return latest;
    }

    @Override
    protected Registrar registrar() {
        return NacosRegistries.registrar(registry);
    }

    @Override
    protected boolean answersFromACopy() {
        return true;
    }

    @Override
    protected void wipe() {
        server.wipe();
        // All clients have lost their connection, these too.
        await().ignoreExceptions().until(() -> {
            latest.lookup("any");
            registrar().join(new Instance("any", "any", "127.0.0.1", 1, false, Map.of()));
            return true;
        });
    }
}
