package io.rollcall.registry.dns;

import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.scheduling.concurrent.CustomizableThreadFactory;

/** Watches services by asking for them again when their records end. One thread for all, as long as there is a watch. Thread-safe. */
final class DnsWatches implements AutoCloseable {

    private static final Log logger = LogFactory.getLog(DnsWatches.class);

    private final RecordReader reader;

    private final long shortest;

    private final LongSupplier nanoTime;

    private final ScheduledThreadPoolExecutor executor;

    private final Map<String, WatchedService> watched = new HashMap<>();

    /**
     * @param shortest time between two questions for one service, whatever its records say
     * @param nanoTime a clock that never jumps
     */
    DnsWatches(RecordReader reader, String registry, Duration shortest, LongSupplier nanoTime) {
        this.reader = reader;
        this.shortest = shortest.toNanos();
        this.nanoTime = nanoTime;
        CustomizableThreadFactory threads = new CustomizableThreadFactory("rollcall-" + registry + "-poll-");
        threads.setDaemon(true);
        this.executor = new ScheduledThreadPoolExecutor(1, threads);
        executor.setRemoveOnCancelPolicy(true);
        executor.setKeepAliveTime(1, TimeUnit.SECONDS);
        executor.allowCoreThreadTimeOut(true);
    }

    /** Begins to watch a service: what there is now is known when this returns. */
    Watch open(String service, WatchListener listener) throws IOException, InterruptedException {
        if (executor.isShutdown()) {
            throw new IllegalStateException("closed");
        }
        Answer first = reader.read(service);
        Object key = new Object();
        synchronized (this) {
            WatchedService entry = watched.computeIfAbsent(service, name -> new WatchedService(name, first));
            entry.add(key, listener);
        }
        // Others who watch it already may not know yet.
        tell(accept(service, first, listener));
        return () -> remove(service, key);
    }

    private synchronized void remove(String service, Object key) {
        WatchedService entry = watched.get(service);
        if (entry != null && entry.remove(key)) {
            watched.remove(service);
            if (entry.next != null) {
                entry.next.cancel(false);
            }
        }
    }

    /** What DNS last answered for a watched service, as long as that is valid; else null. */
    synchronized @Nullable Answer valid(String service) {
        WatchedService entry = watched.get(service);
        return entry == null ? null : entry.valid(nanoTime.getAsLong());
    }

    /** Watched services that have an instance. */
    synchronized Set<String> present() {
        return watched.values().stream()
                .filter(WatchedService::isPresent)
                .map(WatchedService::service)
                .collect(Collectors.toSet());
    }

    /** Takes what somebody has been answered who asked of himself. */
    void take(String service, Answer answer) {
        tell(accept(service, answer, null));
    }

    private synchronized List<WatchListener> accept(String service, Answer answer, @Nullable WatchListener except) {
        WatchedService entry = watched.get(service);
        if (entry == null) {
            return List.of();
        }
        long validFor = Math.max(answer.ttl().toNanos(), shortest);
        boolean changed = entry.take(answer, nanoTime.getAsLong() + validFor);
        schedule(entry, validFor);
        return changed
                ? entry.listeners().stream()
                        .filter(listener -> listener != except)
                        .toList()
                : List.of();
    }

    private void schedule(WatchedService entry, long delay) {
        if (entry.next != null) {
            entry.next.cancel(false);
        }
        if (!executor.isShutdown()) {
            entry.next = executor.schedule(() -> poll(entry.service()), delay, TimeUnit.NANOSECONDS);
        }
    }

    private void poll(String service) {
        List<WatchListener> concerned;
        try {
            concerned = accept(service, reader.read(service), null);
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            return;
        } catch (IOException | RuntimeException | Error ex) {
            // Whatever it is, thrown on it would end the polling for good.
            logger.debug("Can not ask DNS for " + service, ex);
            concerned = fail(service);
        }
        tell(concerned);
    }

    /** It is looked up once, by which it is noticed elsewhere that DNS fails. */
    private synchronized List<WatchListener> fail(String service) {
        WatchedService entry = watched.get(service);
        if (entry == null) {
            return List.of();
        }
        boolean first = entry.fail();
        schedule(entry, shortest);
        return first ? entry.listeners() : List.of();
    }

    private static void tell(List<WatchListener> listeners) {
        for (WatchListener listener : listeners) {
            try {
                listener.changed();
            } catch (RuntimeException ex) {
                // Of one listener, which must not end the polling for the others.
                logger.error("A listener failed", ex);
            }
        }
    }

    /** Ends the thread. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
