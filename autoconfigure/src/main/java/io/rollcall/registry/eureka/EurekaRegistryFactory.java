package io.rollcall.registry.eureka;

import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryFactory;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import org.springframework.beans.factory.BeanFactory;

/** Makes registries from {@code eureka:} URLs. Refers to no class of Spring's HTTP client, which may be missing. */
final class EurekaRegistryFactory implements RegistryFactory {

    static final String TYPE = "eureka";

    static final String WITH_TLS = "eurekas";

    private final BeanFactory beanFactory;

    private final Clock clock;

    EurekaRegistryFactory(BeanFactory beanFactory, Clock clock) {
        this.beanFactory = beanFactory;
        this.clock = clock;
    }

    @Override
    public Set<String> schemes() {
        return Set.of(TYPE, WITH_TLS);
    }

    @Override
    public List<String> requiredClasses() {
        return List.of("org.springframework.web.client.RestClient");
    }

    @Override
    public List<String> coordinates() {
        return List.of("org.springframework.boot:spring-boot-starter-restclient");
    }

    @Override
    public Registry create(RegistryDefinition definition) {
        return EurekaRegistry.create(definition, EurekaSettings.of(definition), beanFactory, clock);
    }
}
