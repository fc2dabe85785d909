package io.rollcall.worker;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The thread {@code rollcall-timer}, which ends calls that take too long. It does no work of its own. Thread-safe. */
public final class Alarms implements AutoCloseable {

    private final ScheduledThreadPoolExecutor executor = DaemonThreads.scheduler("rollcall-timer");

    Future<?> after(Duration delay, Runnable alarm) {
        try {
            return executor.schedule(alarm, delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ex) {
            // The application has ended: what is still called is ended at once.
            alarm.run();
            return CompletableFuture.completedFuture(null);
        }
    }

    @Override
    public void close() {
        executor.shutdownNow();
    }
}
