package io.rollcall.registration;

import io.rollcall.RollcallProperties;
import io.rollcall.registry.Registries;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.cloud.client.discovery.event.InstanceRegisteredEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;

/**
 * Tells once that an instance is registered: when the first of all registries has accepted it. Instances of contexts below are told of
 * there.
 */
final class InstanceRegisteredPublisher implements ApplicationListener<RegistrationStateChangedEvent> {

    private final ApplicationEventPublisher publisher;

    private final RollcallProperties properties;

    private final Registries registries;

    private final Set<String> told = ConcurrentHashMap.newKeySet();

    InstanceRegisteredPublisher(
            ApplicationEventPublisher publisher, RollcallProperties properties, Registries registries) {
        this.publisher = publisher;
        this.properties = properties;
        this.registries = registries;
    }

    @Override
    public void onApplicationEvent(RegistrationStateChangedEvent event) {
        if (event.getStatus().state() == RegistrationState.REGISTERED
                && registries.stream().anyMatch(registry -> registry == event.getSource())
                && told.add(event.getInstance().id())) {
            publisher.publishEvent(new InstanceRegisteredEvent<>(this, properties));
        }
    }
}
