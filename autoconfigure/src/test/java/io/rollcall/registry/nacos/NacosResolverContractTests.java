package io.rollcall.registry.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.ResolverContract;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

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

    @Test
    void readsAsManyNamesAsThereIsTimeForAndGoesOnAtTheNextCall() throws Exception {
        RegistryDefinition definition = NacosRegistries.definition(
                server.url(),
                NacosRegistries.TIMING,
                "names-" + UUID.randomUUID() + "-",
                new Credentials(null, null, null));
        Registry whole = registries.open(definition);
        Registrar registrar = NacosRegistries.registrar(whole);
        for (int i = 0; i < 5; i++) {
            registrar.join(new Instance("s" + i, "s" + i, "127.0.0.1", 8081, false, Map.of()));
        }
        await().until(() -> NacosRegistries.resolver(whole).services().size() == 5);
        NacosSettings settings = NacosSettings.of(definition);
        Subscriptions subscriptions = new Subscriptions();
        NacosConnection connection = new NacosConnection(
                "rollcall-names",
                settings.servers(),
                new NacosLogin(
                        settings.servers(),
                        definition.credentials(),
                        definition.timing().timeout(),
                        Clock.systemUTC()),
                definition.timing(),
                subscriptions);
        try {
            InstanceCodec codec = new InstanceCodec(settings.cluster(), NacosWeight.USUAL);
            Resolver hurried = new NacosResolver(connection, settings, codec, subscriptions, Duration.ZERO);
            for (int known = 1; known <= 5; known++) {
                assertThat(hurried.services()).hasSize(known);
            }
            assertThat(hurried.services()).containsExactlyInAnyOrder("s0", "s1", "s2", "s3", "s4");

            registrar.leave(new Instance("s3", "s3", "127.0.0.1", 8081, false, Map.of()));

            await().untilAsserted(
                            () -> assertThat(hurried.services()).containsExactlyInAnyOrder("s0", "s1", "s2", "s4"));
        } finally {
            connection.close();
        }
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
