package io.rollcall.loadbalancer;

import io.rollcall.discovery.LiveServices;
import io.rollcall.discovery.ServiceChangedEvent;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.context.ApplicationListener;

/**
 * What calls find out about the health of instances, service by service. Only services that are called have any memory here.
 * Thread-safe.
 */
final class OutlierDetection implements ApplicationListener<ServiceChangedEvent> {

    private final ConcurrentMap<String, Outliers> services = new ConcurrentHashMap<>();

    private final boolean enabled;

    private final OutlierPolicy policy;

    private final ObjectProvider<LiveServices> live;

    private final LongSupplier nanoClock;

    OutlierDetection(
            OutlierProperties properties,
            ObjectProvider<LiveServices> live,
            LongSupplier nanoClock,
            RandomGenerator random) {
        enabled = properties.isEnabled();
        policy = OutlierPolicy.of(properties, random);
        this.live = live;
        this.nanoClock = nanoClock;
    }

    /** The outliers of a service that is called from now on. */
    Outliers of(String serviceId) {
        return services.computeIfAbsent(serviceId, id -> new Outliers(id, policy, nanoClock));
    }

    /**
     * An attempt begins.
     * @param call the call, or null if its client does not move on
     */
    void started(ServiceInstance instance, @Nullable Call call) {
        Outliers outliers = find(instance, call);
        if (outliers != null) {
            outliers.started(instance, call);
        }
    }

    /**
     * An attempt has ended.
     * @param call the call, or null if its client does not move on
     */
    void ended(ServiceInstance instance, @Nullable Call call, Verdict verdict) {
        Outliers outliers = find(instance, call);
        if (outliers != null) {
            outliers.ended(instance, call, verdict);
        }
    }

    private @Nullable Outliers find(ServiceInstance instance, @Nullable Call call) {
        if (!enabled) {
            return null;
        }
        String serviceId = call != null ? call.serviceId() : instance.getServiceId();
        return serviceId != null ? services.get(serviceId) : null;
    }

    /** How many instances are not in use, over all services. */
    int count() {
        return services.values().stream().mapToInt(Outliers::count).sum();
    }

    /** An instance that has left and comes back later is a new one, even if nobody calls the service meanwhile. */
    @Override
    public void onApplicationEvent(ServiceChangedEvent event) {
        Outliers outliers = this.services.get(event.getService());
        if (outliers != null && !outliers.isEmpty()) {
            live.ifAvailable(services -> outliers.select(services.peekInstances(event.getService()), true));
        }
    }
}
