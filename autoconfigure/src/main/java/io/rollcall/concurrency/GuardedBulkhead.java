package io.rollcall.concurrency;

import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.event.BulkheadEvent;
import io.github.resilience4j.bulkhead.event.BulkheadOnCallFinishedEvent;
import io.github.resilience4j.bulkhead.event.BulkheadOnCallPermittedEvent;
import io.github.resilience4j.bulkhead.event.BulkheadOnCallRejectedEvent;
import io.github.resilience4j.bulkhead.internal.SemaphoreBulkhead;
import io.github.resilience4j.core.EventConsumer;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * resilience4j's bulkhead, whose listeners cannot harm it: one that throws is logged and goes no further. A permit is out already
 * when its event is published, and whoever asked for it would never give it back.
 */
final class GuardedBulkhead extends SemaphoreBulkhead {

    private static final Logger logger = LoggerFactory.getLogger(GuardedBulkhead.class);

    private final AtomicBoolean warned = new AtomicBoolean();
    private final EventPublisher events = new GuardedEvents(super.getEventPublisher());

    GuardedBulkhead(String name, BulkheadConfig config, Map<String, String> tags) {
        super(name, config, tags);
    }

    @Override
    public EventPublisher getEventPublisher() {
        return events;
    }

    private <E extends BulkheadEvent> EventConsumer<E> guarded(EventConsumer<E> consumer) {
        return event -> {
            try {
                consumer.consumeEvent(event);
            } catch (RuntimeException ex) {
                if (warned.compareAndSet(false, true)) {
                    logger.warn(
                            "A listener to bulkhead '{}' has failed; said once, then at level debug", getName(), ex);
                } else {
                    logger.debug("A listener to bulkhead '{}' has failed", getName(), ex);
                }
            }
        };
    }

    private final class GuardedEvents implements EventPublisher {

        private final EventPublisher delegate;

        GuardedEvents(EventPublisher delegate) {
            this.delegate = delegate;
        }

        @Override
        public EventPublisher onCallPermitted(EventConsumer<BulkheadOnCallPermittedEvent> consumer) {
            delegate.onCallPermitted(guarded(consumer));
            return this;
        }

        @Override
        public EventPublisher onCallRejected(EventConsumer<BulkheadOnCallRejectedEvent> consumer) {
            delegate.onCallRejected(guarded(consumer));
            return this;
        }

        @Override
        public EventPublisher onCallFinished(EventConsumer<BulkheadOnCallFinishedEvent> consumer) {
            delegate.onCallFinished(guarded(consumer));
            return this;
        }

        @Override
        public void onEvent(EventConsumer<BulkheadEvent> consumer) {
            delegate.onEvent(guarded(consumer));
        }
    }
}
