package io.rollcall.discovery;

import io.rollcall.discovery.RegistryView.State;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.RegistryThread;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.ApplicationListener;

/**
 * Keeps the snapshot on disk up to date, from a thread of its own: soon after a change, now and then, and at the end. What is there already
 * stays unless this application knows better: it is what earlier runs, and other instances of the application on this machine, have asked for.
 */
final class SnapshotSaver implements ApplicationListener<ServiceChangedEvent>, AutoCloseable {

    private static final Log logger = LogFactory.getLog(SnapshotSaver.class);

    /** A burst of changes is written once. */
    private static final Duration SOON = Duration.ofSeconds(1);

    /** So that what does not change does not look old. */
    private static final Duration REGULARLY = Duration.ofMinutes(10);

    /** What nobody has confirmed for so long is dropped. */
    private static final Duration FORGOTTEN = Duration.ofDays(7);

    private static final long CLOSE_SECONDS = 2;

    private final SnapshotFile file;

    private final ServiceCache cache;

    private final Registries registries;

    private final Clock clock;

    private final RegistryThread thread;

    private final AtomicBoolean planned = new AtomicBoolean();

    SnapshotSaver(SnapshotFile file, ServiceCache cache, Registries registries, Alarms alarms, Clock clock) {
        this.file = file;
        this.cache = cache;
        this.registries = registries;
        this.clock = clock;
        this.thread = new RegistryThread("rollcall-snapshot", Duration.ofSeconds(CLOSE_SECONDS), alarms);
        thread.schedule(this::saveRegularly, REGULARLY);
    }

    @Override
    public void onApplicationEvent(ServiceChangedEvent event) {
        if (planned.compareAndSet(false, true)) {
            thread.schedule(
                    () -> {
                        planned.set(false);
                        save();
                    },
                    SOON);
        }
    }

    private void saveRegularly() {
        thread.schedule(this::saveRegularly, REGULARLY);
        save();
    }

    private void save() {
        file.write(lists());
    }

    private Collection<KnownList> lists() {
        Map<KnownList.Key, KnownList> lists = new LinkedHashMap<>();
        Instant oldest = clock.instant().minus(FORGOTTEN);
        for (KnownList list : file.read()) {
            if (list.asOf().isAfter(oldest)) {
                lists.put(list.key(), list);
            }
        }
        for (ServiceEntry entry : cache.entries()) {
            for (RegistryView view : entry.views()) {
                Instant asOf = view.asOf();
                if (asOf != null && view.state() != State.SNAPSHOT) {
                    String url =
                            registries.named(view.registry()).map(Registry::url).orElseThrow();
                    KnownList list = new KnownList(entry.service(), view.registry(), url, asOf, view.instances());
                    if (view.state() == State.LIVE) {
                        // Whatever the file says, by a clock that may have been put back since.
                        lists.put(list.key(), list);
                    } else {
                        lists.merge(list.key(), list, SnapshotSaver::newer);
                    }
                }
            }
        }
        return lists.values().stream()
                .filter(list -> !list.instances().isEmpty())
                .sorted(Comparator.comparing(KnownList::asOf).reversed())
                .toList();
    }

    private static KnownList newer(KnownList one, KnownList other) {
        return other.asOf().isBefore(one.asOf()) ? one : other;
    }

    /** Saves once more, and waits a moment for it. */
    @Override
    public void close() {
        Future<?> saved = thread.schedule(this::save, Duration.ZERO);
        try {
            if (saved != null) {
                saved.get(CLOSE_SECONDS, TimeUnit.SECONDS);
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        } catch (TimeoutException | ExecutionException ex) {
            logger.warn("The snapshot " + file.path() + " could not be written in time", ex);
        }
        thread.close();
    }
}
