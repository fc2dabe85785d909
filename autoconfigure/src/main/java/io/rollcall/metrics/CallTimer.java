package io.rollcall.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.rollcall.registration.CallObserver;
import java.time.Duration;
import org.springframework.beans.factory.ObjectProvider;

/** The timers {@code rollcall.join} and {@code rollcall.leave}. */
final class CallTimer implements CallObserver {

    private final ObjectProvider<MeterRegistry> meters;

    CallTimer(ObjectProvider<MeterRegistry> meters) {
        this.meters = meters;
    }

    @Override
    public void called(String registry, String operation, Duration took, boolean succeeded) {
        // Several, of which none is the primary one, are not of Spring Boot's making.
        MeterRegistry available = meters.getIfUnique();
        if (available != null) {
            Timer.builder("rollcall." + operation)
                    .description("Calls that register an instance, renew it or remove it")
                    .tag("registry", registry)
                    .tag("outcome", succeeded ? "success" : "failure")
                    .register(available)
                    .record(took);
        }
    }
}
