package io.rollcall.sample.demo;

import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallRegistration;
import io.rollcall.registration.RollcallServiceRegistry;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/** One provider of the demonstration, which can be stopped and started again. */
final class Provider {

    private final String id;

    private final Launcher launcher;

    private @Nullable ConfigurableApplicationContext context;

    /**
     * @param id the instance's id in the registries
     * @param launcher starts it
     */
    Provider(String id, Launcher launcher) {
        this.id = id;
        this.launcher = launcher;
    }

    String id() {
        return id;
    }

    synchronized void start() {
        if (context == null) {
            context = launcher.start(List.of("provider"), Map.of("rollcall.instance.id", id), created -> {});
        }
    }

    /** Leaves the registries, goes on serving for a moment, and ends. */
    synchronized void stop() {
        if (context != null) {
            context.close();
            context = null;
        }
    }

    /** Its address, or null while it is stopped. */
    synchronized @Nullable String address() {
        return context == null
                ? null
                : context.getBean(RollcallRegistration.class).getUri().getAuthority();
    }

    /** Where it stands, by the registry's name; empty while it is stopped. */
    synchronized Map<String, RegistrationStatus> registrations() {
        return context == null
                ? Map.of()
                : context.getBean(RollcallServiceRegistry.class).statuses(context.getBean(RollcallRegistration.class));
    }
}
