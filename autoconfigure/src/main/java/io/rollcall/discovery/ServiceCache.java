package io.rollcall.discovery;

import io.rollcall.RollcallProperties.Discovery.Policy;
import io.rollcall.worker.Events;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;

/**
 * The live lists of all services in use. Reading takes no lock and copies nothing; the registries' threads write, and every real
 * change is told after it can be read. Thread-safe.
 */
final class ServiceCache {

    private static final Log logger = LogFactory.getLog(ServiceCache.class);

    private final Map<String, ServiceEntry> entries = new ConcurrentHashMap<>();

    private final ServiceNames names;

    private final List<String> registries;

    private final Policy policy;

    private final Events events;

    private final LastKnown lastKnown;

    private final AtomicBoolean lastKnownUsed = new AtomicBoolean();

    /** Of the events' thread only. */
    private long published;

    /**
     * @param registries names of the registries that are read, the most important first
     * @param policy how their answers become one
     * @param events where changes are told
     * @param lastKnown what is used as long as no registry has answered
     */
    ServiceCache(List<String> registries, Policy policy, Events events, LastKnown lastKnown) {
        this.registries = List.copyOf(registries);
        this.names = new ServiceNames(registries.size());
        this.policy = policy;
        this.events = events;
        this.lastKnown = lastKnown;
    }

    /** The service's entry, or null if it is not in use. */
    @Nullable
    ServiceEntry get(String service) {
        return entries.get(service);
    }

    Collection<ServiceEntry> entries() {
        return entries.values();
    }

    int size() {
        return entries.size();
    }

    ServiceNames names() {
        return names;
    }

    /** A new entry, or null if there is one already. */
    @Nullable
    ServiceEntry add(String service) {
        ServiceEntry entry = new ServiceEntry(service, registries, policy, lastKnown.views(service));
        return entries.putIfAbsent(service, entry) == null ? entry : null;
    }

    void remove(ServiceEntry entry) {
        entries.remove(entry.service(), entry);
    }

    /** Takes over what a registry says of a service. */
    void update(ServiceEntry entry, RegistryView view) {
        tell(entry, entry.update(view));
    }

    /** Nobody waits for the first answers any longer. */
    void stopWaiting(ServiceEntry entry) {
        tell(entry, entry.useKnown());
    }

    private void tell(ServiceEntry entry, boolean changed) {
        if (changed) {
            if (entry.isFromEarlierRun() && lastKnownUsed.compareAndSet(false, true)) {
                logger.warn("No registry answers: using lists of an earlier run from the snapshot, first that of "
                        + entry.service());
            }
            events.publish(new ServiceChangedEvent(this, entry.service()));
            heartbeat();
        }
    }

    /** Takes over which services a registry names. */
    void names(String registry, Set<String> newNames) {
        if (names.update(registry, newNames)) {
            heartbeat();
        }
    }

    void namesFailed(String registry) {
        if (names.failed(registry, lastKnown.services(registry))) {
            heartbeat();
        }
    }

    /** Tells Spring Cloud, unless the content is as it was told last: a burst of changes is one heartbeat. */
    private void heartbeat() {
        events.run(() -> {
            long hash = contentHash();
            if (hash != published) {
                published = hash;
                events.publish(new HeartbeatEvent(this, hash));
            }
        });
    }

    private long contentHash() {
        long hash = names.all().hashCode();
        for (ServiceEntry entry : new ArrayList<>(entries.values())) {
            // A sum, since the entries have no order; one without instances counts for nothing.
            hash += (entry.service().hashCode() | 1) * entry.merged().contentHash();
        }
        return hash;
    }
}
