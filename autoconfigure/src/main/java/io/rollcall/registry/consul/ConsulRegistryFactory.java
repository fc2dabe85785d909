package io.rollcall.registry.consul;

import io.rollcall.HealthCheckProperties.Mode;
import io.rollcall.registry.HealthCheck;
import io.rollcall.registry.Json;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.RegistryHttp;
import io.rollcall.registry.RegistryTls;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.core.env.Environment;

/** Makes registries of {@code consul} and {@code consuls} URLs. */
final class ConsulRegistryFactory implements RegistryFactory {

    static final String TYPE = "consul";

    private final BeanFactory beanFactory;

    private final Environment environment;

    ConsulRegistryFactory(BeanFactory beanFactory, Environment environment) {
        this.beanFactory = beanFactory;
        this.environment = environment;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(TYPE, "consuls");
    }

    @Override
    public List<String> requiredClasses() {
        return List.of(RegistryHttp.REQUIRED_CLASS);
    }

    @Override
    public List<String> coordinates() {
        return List.of(RegistryHttp.COORDINATES);
    }

    @Override
    public boolean checksHealth() {
        return true;
    }

    /** Zero where the agent finds out by itself, which it does unless told otherwise. */
    @Override
    public Duration defaultInterval(HealthCheck healthCheck) {
        boolean renews = healthCheck.mode() == Mode.TTL || healthCheck.mode() == Mode.NONE;
        return renews ? Registry.Timing.DEFAULT.interval() : Duration.ZERO;
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        ConsulSettings settings = ConsulSettings.of(definition);
        RegistryHttp client = new RegistryHttp(
                settings.name(),
                RegistryTls.bundle(definition, beanFactory),
                settings.timeout(),
                settings.token() == null ? Map.of() : Map.of("X-Consul-Token", settings.token()));
        Json json = new Json();
        ConsulHttp http = new ConsulHttp(settings, client, json);
        EntryReader reader = new EntryReader(settings.names(), new MetaCodec(json));
        ConsulChecks checks = new ConsulChecks(definition, new ActuatorHealth(beanFactory, environment));
        return definition.toRegistry(
                TYPE,
                new ConsulRegistrar(
                        new AgentApi(http, json),
                        settings.names(),
                        new EntryWriter(settings, new MetaCodec(json)),
                        checks),
                new ConsulResolver(http, settings, reader),
                client);
    }
}
