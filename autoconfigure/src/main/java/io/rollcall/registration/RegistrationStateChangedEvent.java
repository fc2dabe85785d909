package io.rollcall.registration;

import io.rollcall.registry.Instance;
import org.springframework.context.ApplicationEvent;

/** An instance has another state in one registry. Published from a thread of Rollcall's own. */
public final class RegistrationStateChangedEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    private final transient Instance instance;

    private final transient RegistrationStatus status;

    private final String registry;

    RegistrationStateChangedEvent(Object source, String registry, Instance instance, RegistrationStatus status) {
        super(source);
        this.registry = registry;
        this.instance = instance;
        this.status = status;
    }

    /** The registry's name. */
    public String getRegistry() {
        return registry;
    }

    /** The instance. */
    public Instance getInstance() {
        return instance;
    }

    /** Its new status. */
    public RegistrationStatus getStatus() {
        return status;
    }
}
