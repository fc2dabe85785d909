package io.rollcall.discovery;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.springframework.cloud.client.ServiceInstance;

/**
 * All services in all registries. A service that is asked for is watched from then on, and its list read from memory: a look-up of a
 * known service does no I/O, takes no lock, allocates nothing and never fails. Thread-safe.
 */
public final class LiveServices {

    /** With more services in use than this, those that nobody lists are forgotten at once. */
    private static final int MANY = 1000;

    private final ServiceCache cache;

    private final List<ResolverWorker> workers;

    private final Duration patience;

    /**
     * @param patience how long the first look-up of a service may wait for the registries
     */
    LiveServices(ServiceCache cache, List<ResolverWorker> workers, Duration patience) {
        this.cache = cache;
        this.workers = List.copyOf(workers);
        this.patience = patience;
    }

    /**
     * The service's instances that take traffic. The first time that a service is asked for, waits for the registries' first answers,
     * at most as long as a call to the slowest may take.
     *
     * @param service the service's name
     * @return an immutable list, empty if nobody lists the service
     */
    public List<ServiceInstance> getInstances(String service) {
        ServiceEntry entry = entry(service);
        if (!entry.answered().isDone()) {
            await(entry.answered(), entry.patienceLeft(patience));
            cache.stopWaiting(entry);
        }
        return entry.merged().routable();
    }

    /**
     * As {@link #getInstances}, without waiting in this thread.
     *
     * @return completed when the registries have answered; whoever waits limits the time by {@link #getPatience}
     */
    public CompletableFuture<List<ServiceInstance>> findInstances(String service) {
        ServiceEntry entry = entry(service);
        return entry.answered().thenApply(answered -> entry.merged().routable());
    }

    /** What is known of a service's instances now, whatever is missing; never waits. */
    public List<ServiceInstance> peekInstances(String service) {
        return entry(service).merged().routable();
    }

    /** What is known of a service's instances when its patience has ended, from an earlier run if need be; never waits. */
    List<ServiceInstance> giveUpWaiting(String service) {
        ServiceEntry entry = entry(service);
        cache.stopWaiting(entry);
        return entry.merged().routable();
    }

    /** Names of all services, sorted. Waits only until the registries have first answered. */
    public List<String> getServices() {
        CompletableFuture<Void> answered = cache.names().answered();
        if (!answered.isDone()) {
            workers.forEach(ResolverWorker::refreshNames);
            await(answered, patience);
        }
        return peekServices();
    }

    /** As {@link #getServices}, without waiting in this thread. */
    public CompletableFuture<List<String>> findServices() {
        workers.forEach(ResolverWorker::refreshNames);
        return cache.names().answered().thenApply(answered -> cache.names().all());
    }

    /** The names that are known now; never waits. They are read again behind this call if they are not fresh. */
    public List<String> peekServices() {
        workers.forEach(ResolverWorker::refreshNames);
        return cache.names().all();
    }

    /** How long a first look-up may wait. */
    public Duration getPatience() {
        return patience;
    }

    /** All services in use, sorted by name; never waits. */
    public List<ServiceSnapshot> snapshot() {
        return cache.entries().stream()
                .map(entry ->
                        new ServiceSnapshot(entry.service(), entry.merged().instances(), entry.views()))
                .sorted(Comparator.comparing(ServiceSnapshot::service))
                .toList();
    }

    /** How many records of that registry could not be understood so far; each counts once, and again when it changes. */
    public long rejectedRecords(String registry) {
        return workers.stream()
                .filter(worker -> worker.registry().equals(registry))
                .mapToLong(ResolverWorker::rejectedRecords)
                .sum();
    }

    private ServiceEntry entry(String service) {
        ServiceEntry entry = cache.get(service);
        if (entry == null) {
            return subscribe(service);
        }
        entry.use();
        return entry;
    }

    private ServiceEntry subscribe(String service) {
        ServiceEntry added = cache.add(service);
        if (added == null) {
            return entry(service);
        }
        workers.forEach(worker -> worker.subscribe(added));
        if (cache.size() > MANY) {
            cache.entries().stream()
                    .filter(entry -> entry != added && entry.isKnownToBeEmpty())
                    .forEach(this::forget);
        }
        return added;
    }

    /** Reads everything anew, and forgets services that nobody lists and nobody has asked for since the last time. */
    void refresh() {
        for (ServiceEntry entry : cache.entries()) {
            if (!entry.takeUsed() && entry.isKnownToBeEmpty()) {
                forget(entry);
            }
        }
        workers.forEach(ResolverWorker::refresh);
    }

    private void forget(ServiceEntry entry) {
        cache.remove(entry);
        workers.forEach(worker -> worker.unsubscribe(entry));
    }

    private static void await(CompletableFuture<?> answered, Duration limit) {
        try {
            answered.get(limit.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException ex) {
            // What is known so far is the answer.
            return;
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException ex) {
            throw new IllegalStateException(ex.getCause());
        }
    }
}
