package io.rollcall.actuate;

import io.rollcall.discovery.LiveServices;
import io.rollcall.discovery.RegistryView;
import io.rollcall.discovery.ServiceSnapshot;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RollcallRegistration;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.InvalidEndpointRequestException;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/** The endpoint {@code registrations}: where this application is registered, what it sees of others, and how to take it out. */
@Endpoint(id = "registrations")
public final class RegistrationsEndpoint {

    private static final String ONLINE = "online";

    private static final String OFFLINE = "offline";

    private final String serviceName;

    private final @Nullable PortRegistrations registrations;

    private final @Nullable RollcallServiceRegistry serviceRegistry;

    private final @Nullable LiveServices services;

    private final Registries registries;

    private final Clock clock;

    /**
     * @param serviceName the application's name
     * @param registrations null if the application does not register itself, as the service registry then
     * @param services null if it does not look others up
     */
    RegistrationsEndpoint(
            String serviceName,
            @Nullable PortRegistrations registrations,
            @Nullable RollcallServiceRegistry serviceRegistry,
            @Nullable LiveServices services,
            Registries registries,
            Clock clock) {
        this.serviceName = serviceName;
        this.registrations = registrations;
        this.serviceRegistry = serviceRegistry;
        this.services = services;
        this.registries = registries;
        this.clock = clock;
    }

    /** Everything, as it is in memory now. */
    @ReadOperation
    public Description registrations() {
        if (registrations == null || serviceRegistry == null) {
            return new Description(serviceName, OFFLINE, List.of(), describeServices());
        }
        RollcallRegistration primary = registrations.primary();
        List<PortDescription> ports = new ArrayList<>();
        for (RollcallRegistration registration : registrations.all()) {
            ports.add(describe(registration, serviceRegistry.statuses(registration)));
        }
        return new Description(
                primary.getServiceId(),
                serviceRegistry.isOffline(primary) ? OFFLINE : ONLINE,
                ports,
                describeServices());
    }

    /**
     * Changes what the registries are told: in all of them, at once for this answer and soon for them. Repeating it changes nothing.
     *
     * @param state {@code offline} to leave all registries and go on serving, {@code online} to come back, or null to leave it
     * @param weight the share of the traffic from now on until the next start, or until a refresh of the configuration
     *     brings another one, 0 to 10000, or null to leave it
     * @return everything, as it is then
     */
    @WriteOperation
    public Description update(@Nullable String state, @Nullable Integer weight) {
        if (state != null && !state.equalsIgnoreCase(ONLINE) && !state.equalsIgnoreCase(OFFLINE)) {
            throw new InvalidEndpointRequestException(
                    "Unknown state '" + state + "'", "state is 'online' or 'offline'");
        }
        if (state == null && weight == null) {
            throw new InvalidEndpointRequestException(
                    "Neither state nor weight", "say what is to change: state or weight");
        }
        if (weight != null && (weight < 0 || weight > Instance.MAX_WEIGHT)) {
            throw new InvalidEndpointRequestException("Weight " + weight, "weight is a number within 0..10000");
        }
        if (registrations == null || serviceRegistry == null) {
            throw new InvalidEndpointRequestException("Not registered", "this application does not register itself");
        }
        if (weight != null) {
            for (RollcallRegistration registration : registrations.all()) {
                serviceRegistry.update(registration, told -> {
                    Map<String, String> metadata = new LinkedHashMap<>(told);
                    metadata.put(Instance.WEIGHT, weight.toString());
                    return metadata;
                });
            }
        }
        if (state != null) {
            serviceRegistry.setOffline(state.equalsIgnoreCase(OFFLINE));
        }
        return registrations();
    }

    private PortDescription describe(RollcallRegistration registration, Map<String, RegistrationStatus> statuses) {
        List<RegistryDescription> described = new ArrayList<>();
        statuses.forEach((name, status) ->
                registries.named(name).ifPresent(registry -> described.add(RegistryDescription.of(registry, status))));
        return new PortDescription(
                registration.getPortName(),
                registration.getServiceId(),
                registration.getInstanceId(),
                registration.getHost(),
                registration.getPort(),
                registration.isSecure(),
                registration.getMetadata(),
                described);
    }

    private Map<String, ServiceDescription> describeServices() {
        Map<String, ServiceDescription> described = new LinkedHashMap<>();
        if (services != null) {
            Instant now = clock.instant();
            for (ServiceSnapshot service : services.snapshot()) {
                Map<String, ViewDescription> views = new LinkedHashMap<>();
                for (RegistryView view : service.views()) {
                    Duration age = view.asOf() == null ? null : Duration.between(view.asOf(), now);
                    views.put(view.registry(), new ViewDescription(view.state(), age));
                }
                List<InstanceDescription> instances = service.instances().stream()
                        .map(instance -> new InstanceDescription(
                                instance.getInstanceId(),
                                instance.getUri(),
                                instance.getMetadata(),
                                instance.getRegistries()))
                        .toList();
                described.put(service.service(), new ServiceDescription(instances, views));
            }
        }
        return described;
    }

    /**
     * The whole answer.
     *
     * @param service the application's name in the registries
     * @param state {@code online} or {@code offline}: what was asked for; offline if it does not register itself
     * @param registrations one for each port
     * @param services the services in use, by name
     */
    public record Description(
            String service,
            String state,
            List<PortDescription> registrations,
            Map<String, ServiceDescription> services) {}

    /** One port. Instance id, host and port number are null, empty and 0 until it is bound. */
    public record PortDescription(
            String port,
            String serviceId,
            @Nullable String instanceId,
            String host,
            int portNumber,
            boolean secure,
            Map<String, String> metadata,
            List<RegistryDescription> registries) {}

    /** One port in one registry; the URL has no secrets. */
    public record RegistryDescription(
            String name,
            String type,
            String url,
            RegistrationState state,
            Instant since,
            int attempts,
            @Nullable Instant lastSuccess,
            @Nullable String lastError,
            @Nullable Instant nextAttempt) {

        private static RegistryDescription of(Registry registry, RegistrationStatus status) {
            return new RegistryDescription(
                    registry.name(),
                    registry.type(),
                    registry.url(),
                    status.state(),
                    status.since(),
                    status.attempts(),
                    status.lastSuccess(),
                    status.lastError(),
                    status.nextAttempt());
        }
    }

    /** A service in use. */
    public record ServiceDescription(List<InstanceDescription> instances, Map<String, ViewDescription> registries) {}

    /** An instance and the names of the registries that list it. */
    public record InstanceDescription(
            String instanceId, URI uri, Map<String, String> metadata, List<String> registries) {}

    /** How far one registry's list can be believed, and how long ago it answered; null if never. */
    public record ViewDescription(
            RegistryView.State state, @Nullable Duration age) {}
}
