package io.rollcall.discovery;

import io.rollcall.registry.Listing;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.registry.Resolver.WatchListener;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Backoff;
import io.rollcall.worker.RegistryThread;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Keeps the cache's picture of one registry right: reads a service's list when it is first asked for, when the registry announces a
 * change, when the answer may have expired, and at every refresh. All calls are made from one thread, each service waits in line at
 * most once, and while the registry fails the line stands still, with growing pauses. Thread-safe.
 */
final class ResolverWorker implements AutoCloseable {

    private static final Log logger = LogFactory.getLog(ResolverWorker.class);

    /** As long as that, the services' names are not read again just because somebody asks for them. */
    private static final long NAMES_FRESH = Duration.ofSeconds(1).toNanos();

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Registry registry;

    private final Resolver resolver;

    private final ServiceCache cache;

    private final RegistryThread thread;

    private final Clock clock;

    private final Backoff backoff = Backoff.within(LONGEST_PAUSE);

    private final RejectedRecords rejected;

    private final AtomicBoolean namesPlanned = new AtomicBoolean();

    private volatile long namesRead = System.nanoTime() - 2 * NAMES_FRESH;

    // What follows is of the registry's thread only.

    private final Map<String, Subscription> subscriptions = new HashMap<>();

    private final Set<String> line = new LinkedHashSet<>();

    private boolean namesWanted;

    private int failures;

    private boolean pumping;

    ResolverWorker(Registry registry, Resolver resolver, ServiceCache cache, Alarms alarms, Clock clock) {
        this.registry = registry;
        this.resolver = resolver;
        this.cache = cache;
        this.thread = new RegistryThread(
                "rollcall-" + registry.name() + "-resolve", registry.timing().timeout(), alarms);
        this.clock = clock;
        this.rejected = new RejectedRecords(registry.name());
    }

    /** The registry's name. */
    String registry() {
        return registry.name();
    }

    /** How many of the registry's records could not be understood so far. */
    long rejectedRecords() {
        return rejected.count();
    }

    /** Reads and watches a service from now on. */
    void subscribe(ServiceEntry entry) {
        thread.execute(() -> {
            Subscription subscription = new Subscription(
                    entry,
                    new Retention(registry.timing().ttl(), System::nanoTime),
                    System.nanoTime() - Subscription.SPACING);
            subscriptions.put(entry.service(), subscription);
            if (failures > 0) {
                // Nobody is kept waiting for a registry that is known not to answer.
                subscription.fail();
                cache.update(entry, entry.view(registry.name()).failed());
            }
            enqueue(subscription);
        });
    }

    /** Forgets a service. */
    void unsubscribe(ServiceEntry entry) {
        thread.execute(() -> {
            Subscription subscription = subscriptions.get(entry.service());
            if (subscription != null && subscription.entry == entry) {
                subscriptions.remove(entry.service());
                line.remove(entry.service());
                rejected.forget(entry.service());
                subscription.end();
            }
        });
    }

    /** Reads the services' names again soon, if they are not fresh. */
    void refreshNames() {
        long now = System.nanoTime();
        if (now - namesRead > NAMES_FRESH && namesPlanned.compareAndSet(false, true)) {
            thread.execute(() -> {
                namesWanted = true;
                pump();
            });
        }
    }

    /** Reads everything that is in use again, and the services' names. */
    void refresh() {
        thread.execute(() -> {
            namesWanted = true;
            line.addAll(subscriptions.keySet());
            pump();
        });
    }

    /** Has the service read, unless the subscription has ended meanwhile. */
    private void enqueue(Subscription subscription) {
        if (subscriptions.get(subscription.service()) == subscription) {
            line.add(subscription.service());
            pump();
        }
    }

    /** Has one service read, unless that is planned already; then the next. */
    private void pump() {
        if (!pumping && (namesWanted || !line.isEmpty())) {
            pumping = true;
            Duration pause = failures == 0 ? Duration.ZERO : backoff.delay(failures, ThreadLocalRandom.current());
            if (thread.schedule(this::next, pause) == null) {
                line.clear();
            }
        }
    }

    private void next() {
        pumping = false;
        try {
            if (!line.isEmpty()) {
                readNext();
            } else if (namesWanted) {
                Set<String> names = thread.call(resolver::services);
                namesWanted = false;
                namesRead = System.nanoTime();
                namesPlanned.set(false);
                succeeded();
                cache.names(registry.name(), names);
            }
        } catch (Exception ex) {
            failed(ex);
        }
        pump();
    }

    private void readNext() throws Exception {
        String service = line.iterator().next();
        Subscription subscription = subscriptions.get(service);
        line.remove(service);
        if (subscription == null) {
            return;
        }
        long sinceLast = System.nanoTime() - subscription.lastRead;
        if (sinceLast < subscription.spacing) {
            readLater(subscription, Duration.ofNanos(subscription.spacing - sinceLast));
            return;
        }
        long began = System.nanoTime();
        Listing listing;
        try {
            listing = thread.call(() -> resolver.lookup(service));
        } catch (Exception ex) {
            line.add(service);
            throw ex;
        }
        subscription.read(began, System.nanoTime());
        succeeded();
        take(subscription, listing);
        watch(subscription);
    }

    /** However many changes are announced meanwhile, they are one read. */
    private void readLater(Subscription subscription, Duration pause) {
        if (!subscription.delayed) {
            subscription.delayed = true;
            thread.schedule(
                    () -> {
                        subscription.delayed = false;
                        enqueue(subscription);
                    },
                    pause);
        }
    }

    private void take(Subscription subscription, Listing listing) {
        rejected.take(subscription.service(), listing.rejected());
        RegistryView before = subscription.entry.view(registry.name());
        cache.update(subscription.entry, subscription.answered(before, listing, clock.instant()));
        Duration ends = subscription.nextRead(listing);
        subscription.expiresBy(ends == null ? null : thread.schedule(() -> enqueue(subscription), ends));
    }

    /** Sets up the watch if there is none; what changed before it was there is read once more. */
    private void watch(Subscription subscription) {
        if (subscription.isWatched()) {
            return;
        }
        String service = subscription.service();
        try {
            subscription.watched(thread.call(() -> resolver.watch(service, new Listener(subscription))));
            line.add(service);
        } catch (Exception ex) {
            subscription.watchFailures++;
            if (subscription.watchFailures == 1) {
                logger.warn("Can not watch " + service + " in " + registry.name()
                        + "; it is read at every refresh, and the watch tried again: " + ex);
            }
            Duration pause = backoff.delay(subscription.watchFailures, ThreadLocalRandom.current());
            thread.schedule(() -> enqueue(subscription), pause);
        }
    }

    private final class Listener implements WatchListener {

        private final Subscription subscription;

        Listener(Subscription subscription) {
            this.subscription = subscription;
        }

        @Override
        public void changed() {
            thread.execute(() -> enqueue(subscription));
        }

        @Override
        public void lost(Exception cause) {
            logger.debug("The watch of " + subscription.service() + " in " + registry.name() + " ended", cause);
            thread.execute(() -> {
                subscription.endWatch();
                subscription.watchFailures++;
                Duration pause = backoff.delay(subscription.watchFailures, ThreadLocalRandom.current());
                thread.schedule(() -> enqueue(subscription), pause);
            });
        }
    }

    private void succeeded() {
        if (failures > 0) {
            logger.info("Registry " + registry.name() + " answers look-ups again");
            failures = 0;
        }
    }

    private void failed(Exception failure) {
        failures++;
        if (failures == 1) {
            logger.warn("Registry " + registry.name() + " does not answer look-ups; its last lists stay in use: "
                    + failure);
            for (Subscription subscription : List.copyOf(subscriptions.values())) {
                subscription.fail();
                ServiceEntry entry = subscription.entry;
                cache.update(entry, entry.view(registry.name()).failed());
            }
            cache.namesFailed(registry.name());
        }
        logger.debug("Failure " + failures + " of registry " + registry.name(), failure);
    }

    /** Begins to end the thread. */
    void shutdown() {
        thread.shutdown();
    }

    /** Ends the thread. The watches end with the registry's client. */
    @Override
    public void close() {
        thread.close();
    }
}
