package io.rollcall.discovery;

import org.springframework.context.ApplicationEvent;

/**
 * The instances of a service are others than before. Published from a thread of Rollcall's own, after the new list can be read.
 */
public final class ServiceChangedEvent extends ApplicationEvent {

    private static final long serialVersionUID = 1L;

    private final String service;

    ServiceChangedEvent(Object source, String service) {
        super(source);
        this.service = service;
    }

    /** The service's name. */
    public String getService() {
        return service;
    }
}
