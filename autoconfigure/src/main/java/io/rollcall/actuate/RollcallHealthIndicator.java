package io.rollcall.actuate;

import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStatus;
import io.rollcall.registration.RequiredRegistrations;
import io.rollcall.registration.RollcallRegistration;
import io.rollcall.registration.RollcallServiceRegistry;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;

/**
 * The health contributor {@code rollcall}: a detail for each registry, from memory. It is up whatever the registries do, unless
 * {@code rollcall.registration.required} says otherwise; then it is down while a required registration is not there, and out of
 * service while the application has left on purpose.
 */
final class RollcallHealthIndicator extends AbstractHealthIndicator {

    private final PortRegistrations registrations;

    private final RollcallServiceRegistry serviceRegistry;

    private final RequiredRegistrations required;

    RollcallHealthIndicator(
            PortRegistrations registrations, RollcallServiceRegistry serviceRegistry, RequiredRegistrations required) {
        this.registrations = registrations;
        this.serviceRegistry = serviceRegistry;
        this.required = required;
    }

    @Override
    protected void doHealthCheck(Health.Builder builder) {
        Status worst = Status.UP;
        for (RollcallRegistration registration : judged()) {
            Map<String, RegistrationStatus> statuses = serviceRegistry.statuses(registration);
            statuses.forEach(
                    (registry, status) -> builder.withDetail(detailName(registration, registry), describe(status)));
            if (!required.satisfiedBy(registration, statuses)) {
                boolean onPurpose = !statuses.isEmpty()
                        && statuses.values().stream()
                                .map(RegistrationStatus::state)
                                .allMatch(RegistrationState::isLeft);
                worst = onPurpose && !worst.equals(Status.DOWN) ? Status.OUT_OF_SERVICE : Status.DOWN;
            }
        }
        builder.status(worst);
    }

    /** The ports that are bound: another may never be. While none is, all, since nothing is registered yet. */
    private List<RollcallRegistration> judged() {
        List<RollcallRegistration> bound = registrations.all().stream()
                .filter(registration -> registration.getInstance() != null)
                .toList();
        return bound.isEmpty() ? registrations.all() : bound;
    }

    /** The registry's name; for other ports than the application's own, with the port's. */
    private String detailName(RollcallRegistration registration, String registry) {
        return registration == registrations.primary() ? registry : registration.getPortName() + "." + registry;
    }

    private static Map<String, Object> describe(RegistrationStatus status) {
        Map<String, Object> detail = new LinkedHashMap<>();
        detail.put("state", status.state());
        detail.put("since", status.since());
        if (status.lastError() != null) {
            detail.put("lastError", status.lastError());
        }
        return detail;
    }
}
