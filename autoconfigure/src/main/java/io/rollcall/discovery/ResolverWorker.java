package io.rollcall.discovery;

import io.rollcall.registry.Listing;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Backoff;
import io.rollcall.worker.RegistryThread;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Keeps the cache's picture of one registry right: reads a service's list when it is first asked for, when the registry announces a
 * change, when the answer may have expired, and at every refresh. All calls are made from one thread, each service waits in line at
 * most once, and while the registry fails the line stands still, with growing pauses. Thread-safe.
 */
final class ResolverWorker implements AutoCloseable {

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    private final Registry registry;

    private final Resolver resolver;

    private final ServiceCache cache;

    private final RegistryThread thread;

    private final Clock clock;

    private final Backoff backoff = Backoff.within(LONGEST_PAUSE);

    private final Answers answers;

    private final Watching watching;

    private final RejectedRecords rejected;

    private final NamesReading naming = new NamesReading();

    // What follows is of the registry's thread only.

    private final Map<String, Subscription> subscriptions = new HashMap<>();

    private final Line line = new Line();

    private boolean pumping;

    ResolverWorker(Registry registry, Resolver resolver, ServiceCache cache, Alarms alarms, Clock clock) {
        this.registry = registry;
        this.resolver = resolver;
        this.cache = cache;
        this.thread = new RegistryThread(
                "rollcall-" + registry.name() + "-resolve", registry.timing().timeout(), alarms);
        this.clock = clock;
        this.rejected = new RejectedRecords(registry.name());
        this.answers = new Answers(registry.name(), backoff);
        this.watching = new Watching(registry.name(), resolver, thread, backoff, this::enqueue);
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
            Subscription subscription =
                    new Subscription(entry, registry.timing().ttl());
            Subscription before = subscriptions.put(entry.service(), subscription);
            if (before != null) {
                // It was forgotten and asked for again at the same time; that it has ended is told later.
                before.end();
            }
            if (answers.failures() > 0) {
                // Nobody is kept waiting for a registry that is known not to answer.
                doubt(subscription);
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
        if (naming.plan()) {
            thread.execute(this::wantNames);
        }
    }

    /** Reads everything that is in use again, and the services' names. */
    void refresh() {
        thread.execute(() -> {
            wantAll();
            wantNames();
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
        if (!pumping && (naming.wanted || !line.isEmpty())) {
            pumping = true;
            if (thread.schedule(this::next, answers.pause()) == null) {
                line.clear();
            }
        }
    }

    private void next() {
        pumping = false;
        try {
            // After a failure the names go first: whether they come tells the registry's failure from that of one
            // service.
            if (naming.wanted && (line.isEmpty() || answers.failures() > 0)) {
                readNames();
            } else if (!line.isEmpty()) {
                readNext();
            }
        } finally {
            pump();
        }
    }

    private void readNames() {
        Set<String> names;
        try {
            names = thread.call(resolver::services);
        } catch (Exception ex) {
            naming.failed();
            answers.namedNothing(naming, ex);
            cache.namesFailed(registry.name());
            thread.schedule(this::wantNames, backoff.delay(naming.failures, ThreadLocalRandom.current()));
            return;
        }
        naming.succeeded();
        if (answers.named(names)) {
            wantAll();
        }
        cache.names(registry.name(), names);
    }

    /** Of a registry that has failed, every list is in doubt, whichever was being read then. */
    private void wantAll() {
        line.addAll(subscriptions.keySet());
    }

    private void wantNames() {
        naming.wanted = true;
        pump();
    }

    private void readNext() {
        String service = line.take();
        Subscription subscription = subscriptions.get(service);
        if (subscription == null) {
            return;
        }
        long sinceLast = System.nanoTime() - subscription.lastRead;
        if (sinceLast < subscription.spacing) {
            readLater(subscription, Duration.ofNanos(subscription.spacing - sinceLast));
            return;
        }
        long began = System.nanoTime();
        try {
            Listing listing = thread.call(() -> resolver.lookup(service));
            subscription.read(began, System.nanoTime());
            take(subscription, listing);
        } catch (Exception ex) {
            failed(subscription, began, ex);
            return;
        }
        if (answers.succeeded(service, subscription.failures)) {
            wantAll();
        }
        watching.ensure(subscription);
    }

    private void failed(Subscription subscription, long began, Exception failure) {
        if (answers.failedAlone(subscription.service(), subscription.failures, failure)) {
            subscription.read(began, System.nanoTime());
            doubt(subscription);
            readLater(subscription, backoff.delay(subscription.failures.own(), ThreadLocalRandom.current()));
        } else {
            line.add(subscription.service());
            failed(failure);
        }
    }

    private void failed(Exception failure) {
        if (answers.failed(failure)) {
            List.copyOf(subscriptions.values()).forEach(this::doubt);
            cache.namesFailed(registry.name());
            naming.wanted = true;
        }
    }

    /** What the registry said last of the service stays in use, but is not certain any longer. */
    private void doubt(Subscription subscription) {
        subscription.fail();
        cache.update(
                subscription.entry, subscription.entry.view(registry.name()).failed());
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
