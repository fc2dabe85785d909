package io.rollcall.sample.demo;

import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallRegistration;
import io.rollcall.registration.RollcallServiceRegistry;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ConfigurableApplicationContext;

/** One provider of the demonstration, which can be stopped and started again. Looking at it never waits for that. */
final class Provider {

    private final String id;

    private final Launcher launcher;

    private volatile @Nullable Running running;

    private record Running(
            ConfigurableApplicationContext context,
            RollcallRegistration registration,
            RollcallServiceRegistry serviceRegistry) {}

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
        if (running == null) {
            ConfigurableApplicationContext context =
                    launcher.start(List.of("provider"), Map.of("rollcall.instance.id", id), created -> {});
            running = new Running(
                    context,
                    context.getBean(RollcallRegistration.class),
                    context.getBean(RollcallServiceRegistry.class));
        }
    }

    /** Leaves the registries, goes on serving for a moment, and ends. */
    synchronized void stop() {
        Running stopping = running;
        if (stopping != null) {
            stopping.context().close();
            running = null;
        }
    }

    /** Its address, or null while it is stopped. */
    @Nullable
    String address() {
        Running now = running;
        return now == null ? null : now.registration().getUri().getAuthority();
    }

    /** Where it stands, by the registry's name; empty while it is stopped. */
    Map<String, RegistrationStatus> registrations() {
        Running now = running;
        return now == null ? Map.of() : now.serviceRegistry().statuses(now.registration());
    }
}
