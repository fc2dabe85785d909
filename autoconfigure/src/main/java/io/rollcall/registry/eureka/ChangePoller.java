package io.rollcall.registry.eureka;

import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/**
 * Watches services at a server that announces nothing: asks, in one call for all of them, what has changed in the last minutes, and tells
 * those whose services have a change that was not there before. One thread, as long as there is a watch. Thread-safe.
 */
final class ChangePoller implements AutoCloseable {

    private static final Log logger = LogFactory.getLog(ChangePoller.class);

    private final EurekaServer server;

    private final Duration pause;

    private final ScheduledThreadPoolExecutor executor;

    private final Set<Subscription> subscriptions = new HashSet<>();

    private @Nullable Changes last;

    private @Nullable Future<?> polling;

    private boolean failing;

    /**
     * Changes by application, each told from all others.
     *
     * @param known false if the server does not tell
     */
    private record Changes(boolean known, Map<String, Set<String>> byApplication) {

        /** Whether there is one that the earlier ones did not have. */
        boolean hasNew(String application, Changes earlier) {
            return !known
                    || !earlier.known
                    || !earlier.byApplication
                            .getOrDefault(application, Set.of())
                            .containsAll(byApplication.getOrDefault(application, Set.of()));
        }
    }

    /** Told apart by identity. */
    private final class Subscription implements Watch {

        private final String application;

        private final WatchListener listener;

        Subscription(String application, WatchListener listener) {
            this.application = application;
            this.listener = listener;
        }

        @Override
        public void close() {
            remove(this);
        }
    }

    ChangePoller(EurekaServer server, String registry, Duration pause) {
        this.server = server;
        this.pause = pause;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("rollcall-" + registry + "-poll-");
        threads.setDaemon(true);
        this.executor = new ScheduledThreadPoolExecutor(1, threads);
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(pause.toMillis() + 1000, TimeUnit.MILLISECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    /** Begins to watch an application: from now on, since what has changed so far is known when this returns. */
    Watch watch(String application, WatchListener listener) throws IOException, RefusedException {
        if (executor.isShutdown()) {
            throw new IllegalStateException("closed");
        }
        Changes first = isPolling() ? null : read();
        Subscription subscription = new Subscription(application, listener);
        synchronized (this) {
            subscriptions.add(subscription);
            if (polling == null) {
                last = first;
                failing = false;
                long share = ThreadLocalRandom.current().nextLong(pause.toNanos());
                polling = executor.scheduleWithFixedDelay(this::poll, share, pause.toNanos(), TimeUnit.NANOSECONDS);
            }
        }
        return subscription;
    }

    private synchronized boolean isPolling() {
        return polling != null;
    }

    private synchronized void remove(Subscription subscription) {
        if (subscriptions.remove(subscription) && subscriptions.isEmpty() && polling != null) {
            polling.cancel(false);
            polling = null;
        }
    }

    private void poll() {
        List<Subscription> concerned;
        try {
            concerned = take(read());
        } catch (Exception | Error ex) {
            // Whatever it is, thrown on it would end the polling for good.
            logger.debug("Can not ask for changes", ex);
            concerned = fail();
        }
        concerned.forEach(ChangePoller::tell);
    }

    private static void tell(Subscription subscription) {
        try {
            subscription.listener.changed();
        } catch (RuntimeException ex) {
            // Of one listener, which must not end the polling for the others.
            logger.error("A listener failed", ex);
        }
    }

    private synchronized List<Subscription> take(Changes changes) {
        Changes before = failing ? null : last;
        failing = false;
        last = changes;
        return before == null
                ? List.copyOf(subscriptions)
                : subscriptions.stream()
                        .filter(subscription -> changes.hasNew(subscription.application, before))
                        .toList();
    }

    /** All are looked up once, by which it is noticed elsewhere that the server fails. */
    private synchronized List<Subscription> fail() {
        boolean first = !failing;
        failing = true;
        return first ? List.copyOf(subscriptions) : List.of();
    }

    private Changes read() throws IOException, RefusedException {
        List<Application> applications = server.changes();
        Map<String, Set<String>> changes = new HashMap<>();
        for (Application application : applications == null ? new ArrayList<Application>() : applications) {
            Set<String> ofApplication = changes.computeIfAbsent(application.name(), name -> new HashSet<>());
            application.instances().forEach(instance -> ofApplication.add(key(instance)));
        }
        return new Changes(applications != null, changes);
    }

    private static String key(Map<String, Object> instance) {
        return Json.text(instance, "instanceId") + " " + Json.text(instance, "actionType") + " "
                + Json.text(instance, "status") + " " + Json.text(instance, "lastUpdatedTimestamp") + " "
                + Json.text(instance, "lastDirtyTimestamp");
    }

    /** Ends the thread. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
