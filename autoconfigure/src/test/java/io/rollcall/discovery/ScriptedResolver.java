package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Resolver;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A resolver that fails, hangs and loses its watch on command, as no real server does at an exact moment. */
final class ScriptedResolver implements Resolver {

    final Map<String, List<Instance>> lists = new ConcurrentHashMap<>();

    final Map<String, WatchListener> watches = new ConcurrentHashMap<>();

    final AtomicInteger lookups = new AtomicInteger();

    /** The services that were looked up, in that order. */
    final List<String> lookedUp = new CopyOnWriteArrayList<>();

    final AtomicInteger namings = new AtomicInteger();

    final AtomicInteger watchAttempts = new AtomicInteger();

    final AtomicInteger watchesSetUp = new AtomicInteger();

    final AtomicInteger watchesClosed = new AtomicInteger();

    /** What a look-up waits for. */
    volatile CountDownLatch gate = new CountDownLatch(0);

    volatile Exception failure;

    /** What fails alone: services, or {@code "*"} for the names of all. */
    final Map<String, Exception> failures = new ConcurrentHashMap<>();

    volatile Exception watchFailure;

    volatile boolean hanging;

    volatile String incarnation = "1";

    @Override
    public Listing lookup(String service) throws Exception {
        lookups.incrementAndGet();
        lookedUp.add(service);
        gate.await();
        obey();
        failIfToldFor(service);
        List<Instance> list = lists.getOrDefault(service, List.of());
        return new Listing(list, Set.of(), List.of(), incarnation, null);
    }

    @Override
    public Set<String> services() throws Exception {
        namings.incrementAndGet();
        obey();
        failIfToldFor("*");
        return Set.copyOf(lists.keySet());
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws Exception {
        watchAttempts.incrementAndGet();
        obey();
        if (watchFailure != null) {
            throw watchFailure;
        }
        watchesSetUp.incrementAndGet();
        watches.put(service, listener);
        return () -> {
            watchesClosed.incrementAndGet();
            watches.remove(service, listener);
        };
    }

    private void obey() throws Exception {
        if (hanging) {
            new CountDownLatch(1).await();
        }
        if (failure != null) {
            throw failure;
        }
    }

    private void failIfToldFor(String what) throws Exception {
        Exception own = failures.get(what);
        if (own != null) {
            throw own;
        }
    }

    /** Lists a service at these ports and announces it. */
    void list(String service, Integer... ports) {
        listSilently(service, ports);
        WatchListener listener = watches.get(service);
        if (listener != null) {
            listener.changed();
        }
    }

    void listSilently(String service, Integer... ports) {
        List<Instance> instances = new ArrayList<>();
        for (int port : ports) {
            instances.add(new Instance(service + "-" + port, service, "127.0.0.1", port, false, Map.of()));
        }
        lists.put(service, instances);
    }
}
