package io.rollcall.discovery;

import io.rollcall.worker.Alarms;
import io.rollcall.worker.RegistryThread;
import java.time.Duration;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * Refreshes all lists on a schedule of its own, so that nothing is stale for long even if a registry announces nothing. Starts before
 * and stops after everything else, since work in progress may still call others.
 */
final class ServiceWatcher implements SmartLifecycle, ApplicationListener<ApplicationReadyEvent>, AutoCloseable {

    private final LiveServices services;

    private final Duration delay;

    private final RegistryThread thread;

    private volatile boolean running;

    private @Nullable Future<?> next;

    ServiceWatcher(LiveServices services, Duration delay, Alarms alarms) {
        this.services = services;
        this.delay = delay;
        this.thread = new RegistryThread("rollcall-watcher", Duration.ofSeconds(1), alarms);
    }

    @Override
    public synchronized void start() {
        if (!running) {
            running = true;
            plan();
        }
    }

    /** The first refresh is not to compete with the rest of the start; whoever asks before is answered without it. */
    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        thread.execute(services::refresh);
    }

    /** Another one that is planned is replaced: the context may have been stopped and started again meanwhile. */
    private synchronized void plan() {
        cancel();
        if (running) {
            next = thread.schedule(this::refreshAndPlan, delay);
        }
    }

    private void cancel() {
        if (next != null) {
            next.cancel(false);
        }
    }

    private void refreshAndPlan() {
        services.refresh();
        plan();
    }

    @Override
    public synchronized void stop() {
        running = false;
        cancel();
    }

    @Override
    public boolean isRunning() {
        return running;
    }

    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void close() {
        thread.close();
    }
}
