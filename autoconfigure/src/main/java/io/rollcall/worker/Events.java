package io.rollcall.worker;

import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes events of the application from the thread {@code rollcall-events}, so that a listener that blocks delays no registry and
 * no event loop. Thread-safe; keeps their order.
 */
public final class Events implements AutoCloseable {

    private static final Log logger = LogFactory.getLog(Events.class);

    private final ScheduledThreadPoolExecutor executor = DaemonThreads.scheduler("rollcall-events");

    private final ApplicationEventPublisher publisher;

    public Events(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    /** Publishes an event soon. */
    public void publish(Object event) {
        run(() -> publisher.publishEvent(event));
    }

    /** Does something after the events so far have been published. */
    public void run(Runnable task) {
        try {
            executor.execute(() -> {
                try {
                    task.run();
                } catch (RuntimeException ex) {
                    logger.error("A listener failed", ex);
                }
            });
        } catch (RejectedExecutionException ex) {
            logger.trace("Closed", ex);
        }
    }

    /** Publishes nothing more. */
    @Override
    public void close() {
        executor.shutdownNow();
    }
}
