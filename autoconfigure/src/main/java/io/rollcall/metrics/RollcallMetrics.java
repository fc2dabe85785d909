package io.rollcall.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rollcall.discovery.LiveServices;
import io.rollcall.discovery.RegistryView;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;

/** The gauges of each registry, which read memory only. */
final class RollcallMetrics implements MeterBinder {

    private final Registries registries;

    private final ObjectProvider<PortRegistrations> registrations;

    private final ObjectProvider<RollcallServiceRegistry> serviceRegistry;

    private final ObjectProvider<LiveServices> services;

    private final Clock clock;

    private final Instant start;

    RollcallMetrics(
            Registries registries,
            ObjectProvider<PortRegistrations> registrations,
            ObjectProvider<RollcallServiceRegistry> serviceRegistry,
            ObjectProvider<LiveServices> services,
            Clock clock) {
        this.registries = registries;
        this.registrations = registrations;
        this.serviceRegistry = serviceRegistry;
        this.services = services;
        this.clock = clock;
        start = clock.instant();
    }

    @Override
    public void bindTo(MeterRegistry meters) {
        serviceRegistry.ifAvailable(ours -> registrations.ifAvailable(ports -> registries.stream()
                .filter(registry -> registry.registrar() != null)
                .forEach(registry -> Gauge.builder(
                                "rollcall.registered", () -> isRegistered(ours, ports, registry) ? 1 : 0)
                        .description("Whether all ports that are meant for the registry are registered there")
                        .tag("registry", registry.name())
                        .register(meters))));
        services.ifAvailable(live -> registries.stream()
                .filter(registry -> registry.resolver() != null)
                .forEach(registry -> bind(meters, live, registry)));
    }

    private void bind(MeterRegistry meters, LiveServices live, Registry registry) {
        Gauge.builder(
                        "rollcall.instances",
                        () -> views(live, registry)
                                .mapToInt(view -> view.instances().size())
                                .sum())
                .description("Instances of the services in use that the registry lists")
                .tag("registry", registry.name())
                .register(meters);
        TimeGauge.builder("rollcall.view.age", () -> age(live, registry).toMillis(), TimeUnit.MILLISECONDS)
                .description(
                        "Time since the registry last answered for the service for which that is longest ago; if it"
                                + " has never answered, since the start")
                .tag("registry", registry.name())
                .register(meters);
        FunctionCounter.builder(
                        "rollcall.records.rejected", live, services -> services.rejectedRecords(registry.name()))
                .description("Records that could not be understood: each once, and again when it changes")
                .tag("registry", registry.name())
                .register(meters);
    }

    private static boolean isRegistered(
            RollcallServiceRegistry serviceRegistry, PortRegistrations ports, Registry registry) {
        return !ports.all().isEmpty()
                && ports.all().stream()
                        .map(serviceRegistry::statuses)
                        .map(statuses -> statuses.get(registry.name()))
                        .filter(Objects::nonNull)
                        .map(RegistrationStatus::state)
                        .reduce((one, other) -> one == RegistrationState.REGISTERED ? other : one)
                        .filter(state -> state == RegistrationState.REGISTERED)
                        .isPresent();
    }

    private static Stream<RegistryView> views(LiveServices live, Registry registry) {
        return live.snapshot().stream()
                .flatMap(service -> service.views().stream())
                .filter(view -> view.registry().equals(registry.name()));
    }

    private Duration age(LiveServices live, Registry registry) {
        Instant now = clock.instant();
        List<RegistryView> asked = views(live, registry)
                .filter(view -> view.state() != RegistryView.State.PENDING)
                .toList();
        Instant longestAgo = asked.stream()
                .map(RegistryView::asOf)
                .filter(Objects::nonNull)
                .min(Instant::compareTo)
                .orElse(asked.isEmpty() ? now : start);
        return Duration.between(longestAgo, now);
    }
}
