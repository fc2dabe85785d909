package io.rollcall.worker;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that talks to one registry in one role: it does what it is given in order, and ends every call that takes too
 * long by an interrupt. It is started by the first task. Thread-safe.
 */
public final class RegistryThread implements AutoCloseable {

    private static final Log logger = LogFactory.getLog(RegistryThread.class);

    private static final long CLOSE_MILLIS = 500;

    private final ScheduledThreadPoolExecutor executor;

    private final Alarms alarms;

    private final Duration timeout;

    private volatile @Nullable Call current;

    /**
     * @param name the thread's name
     * @param timeout the limit of every call
     * @param alarms interrupts calls that take longer
     */
    public RegistryThread(String name, Duration timeout, Alarms alarms) {
        this.executor = DaemonThreads.scheduler(name);
        this.alarms = alarms;
        this.timeout = timeout;
    }

    /** Does a task after those that are due already; none after the close. */
    public void execute(Runnable task) {
        schedule(task, Duration.ZERO);
    }

    /**
     * Does a task after a while.
     *
     * @return cancels it as long as it has not begun, or null after the close
     */
    public @Nullable Future<?> schedule(Runnable task, Duration delay) {
        try {
            return executor.schedule(() -> guarded(task), delay.toNanos(), TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException ex) {
            logger.trace("Closed", ex);
            return null;
        }
    }

    private void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error ex) {
            // A task handles what registries throw; this is a fault of ours, which must not end the thread.
            logger.error("Unexpected failure in " + Thread.currentThread().getName(), ex);
        }
    }

    /**
     * Makes a call, from this thread only.
     *
     * @throws TimeoutException if it took longer than the limit, or was given up by {@link #giveUp}
     * @throws Exception what it throws
     */
    public <T extends @Nullable Object> T call(Callable<T> callable) throws Exception {
        Call call = new Call(Thread.currentThread());
        current = call;
        Future<?> alarm = alarms.after(timeout, () -> call.interrupt("no answer within " + timeout.toMillis() + " ms"));
        try {
            return callable.call();
        } catch (Exception | Error ex) {
            throw call.explain(ex);
        } finally {
            current = null;
            alarm.cancel(false);
            call.end();
        }
    }

    /** Ends the call that is being made, if there is one, so that what comes after it is not kept waiting. */
    public void giveUp(String why) {
        Call call = current;
        if (call != null) {
            call.interrupt(why);
        }
    }

    /** Does nothing more, and interrupts what is being done; does not wait for its end. */
    public void shutdown() {
        executor.shutdownNow();
    }

    /** Does nothing more, interrupts what is being done and waits a moment for its end. */
    @Override
    public void close() {
        shutdown();
        try {
            if (!executor.awaitTermination(CLOSE_MILLIS, TimeUnit.MILLISECONDS)) {
                logger.warn("A call to a registry does not react to its interruption; its thread is left behind");
            }
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
        }
    }

    /** A call under way, which is interrupted at most once and never after its end. */
    private static final class Call {

        private final Thread thread;

        private boolean ended;

        private @Nullable String interruption;

        Call(Thread thread) {
            this.thread = thread;
        }

        synchronized void interrupt(String why) {
            if (!ended && interruption == null) {
                interruption = why;
                thread.interrupt();
            }
        }

        synchronized void end() {
            ended = true;
            if (interruption != null) {
                // The interrupt was for this call; it must not reach the next one.
                Thread.interrupted();
            }
        }

        synchronized Exception explain(Throwable thrown) throws Error {
            if (interruption != null) {
                TimeoutException timeout = new TimeoutException(interruption);
                timeout.initCause(thrown);
                return timeout;
            }
            if (thrown instanceof Error error) {
                // Client libraries fail by Errors too, such as a class that is missing; the registry is then as good as
                // down.
                return new IllegalStateException(error.toString(), error);
            }
            return (Exception) thrown;
        }
    }
}
