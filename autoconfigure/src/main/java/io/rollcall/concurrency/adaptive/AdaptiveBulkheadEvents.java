package io.rollcall.concurrency.adaptive;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.event.BulkheadEvent;
import io.github.resilience4j.bulkhead.event.BulkheadOnCallFinishedEvent;
import io.github.resilience4j.bulkhead.event.BulkheadOnCallPermittedEvent;
import io.github.resilience4j.bulkhead.event.BulkheadOnCallRejectedEvent;
import io.github.resilience4j.core.EventConsumer;
import io.github.resilience4j.core.EventProcessor;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The events of an {@link AdaptiveBulkhead}, built only if somebody listens. A listener that throws is logged and goes no further:
 * a permit is out already when its event is published, and whoever asked for it would never give it back.
 */
final class AdaptiveBulkheadEvents extends EventProcessor<BulkheadEvent> implements Bulkhead.EventPublisher {

    private static final Logger logger = LoggerFactory.getLogger(AdaptiveBulkheadEvents.class);

    private final String name;
    private final AtomicBoolean warned = new AtomicBoolean();
    private final List<Consumer<LimitChange>> limitListeners = new CopyOnWriteArrayList<>();

    AdaptiveBulkheadEvents(String name) {
        this.name = name;
    }

    void permitted() {
        if (hasConsumers()) {
            publish(() -> processEvent(new BulkheadOnCallPermittedEvent(name)));
        }
    }

    void rejected() {
        if (hasConsumers()) {
            publish(() -> processEvent(new BulkheadOnCallRejectedEvent(name)));
        }
    }

    void finished() {
        if (hasConsumers()) {
            publish(() -> processEvent(new BulkheadOnCallFinishedEvent(name)));
        }
    }

    void changed(int from, int to, boolean overloaded) {
        if (!limitListeners.isEmpty()) {
            LimitChange change = new LimitChange(name, from, to, overloaded);
            limitListeners.forEach(listener -> publish(() -> listener.accept(change)));
        }
    }

    private void publish(Runnable event) {
        try {
            event.run();
        } catch (RuntimeException ex) {
            if (warned.compareAndSet(false, true)) {
                logger.warn("A listener to bulkhead '{}' has failed; said once, then at level debug", name, ex);
            } else {
                logger.debug("A listener to bulkhead '{}' has failed", name, ex);
            }
        }
    }

    void onLimitChange(Consumer<LimitChange> listener) {
        limitListeners.add(listener);
    }

    @Override
    public Bulkhead.EventPublisher onCallPermitted(EventConsumer<BulkheadOnCallPermittedEvent> consumer) {
        registerConsumer(BulkheadOnCallPermittedEvent.class.getName(), consumer);
        return this;
    }

    @Override
    public Bulkhead.EventPublisher onCallRejected(EventConsumer<BulkheadOnCallRejectedEvent> consumer) {
        registerConsumer(BulkheadOnCallRejectedEvent.class.getName(), consumer);
        return this;
    }

    @Override
    public Bulkhead.EventPublisher onCallFinished(EventConsumer<BulkheadOnCallFinishedEvent> consumer) {
        registerConsumer(BulkheadOnCallFinishedEvent.class.getName(), consumer);
        return this;
    }
}
