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
import java.util.function.Consumer;

/** The events of an {@link AdaptiveBulkhead}, built only if somebody listens. */
final class AdaptiveBulkheadEvents extends EventProcessor<BulkheadEvent> implements Bulkhead.EventPublisher {

    private final String name;
    private final List<Consumer<LimitChange>> limitListeners = new CopyOnWriteArrayList<>();

    AdaptiveBulkheadEvents(String name) {
        this.name = name;
    }

    void permitted() {
        if (hasConsumers()) {
            processEvent(new BulkheadOnCallPermittedEvent(this.name));
        }
    }

    void rejected() {
        if (hasConsumers()) {
            processEvent(new BulkheadOnCallRejectedEvent(this.name));
        }
    }

    void finished() {
        if (hasConsumers()) {
            processEvent(new BulkheadOnCallFinishedEvent(this.name));
        }
    }

    void changed(int from, int to, boolean overloaded) {
        if (!this.limitListeners.isEmpty()) {
            LimitChange change = new LimitChange(this.name, from, to, overloaded);
            this.limitListeners.forEach(listener -> listener.accept(change));
        }
    }

    void onLimitChange(Consumer<LimitChange> listener) {
        this.limitListeners.add(listener);
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
