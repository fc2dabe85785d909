package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.github.resilience4j.bulkhead.event.BulkheadEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What all limits have in common that are resilience4j's bulkheads for others. */
class LimiterFactoryTests {

    private final BulkheadRegistry registry =
            BulkheadRegistry.custom().withTags(Map.of("team", "blue")).build();

    private final LimiterFactory factory = new LimiterFactory(registry, new LimitBounds(1, 1));

    @ParameterizedTest
    @ValueSource(strings = {"1", "auto"})
    void aListenerThatThrowsTakesNoPermit(String max) {
        ConcurrencyLimiter limiter = factory.create("test", MaxConcurrency.parse("test", max));
        List<BulkheadEvent.Type> heard = new ArrayList<>();
        Bulkhead.EventPublisher events = registry.find("test").orElseThrow().getEventPublisher();
        events.onEvent(event -> heard.add(event.getEventType()));
        events.onEvent(LimiterFactoryTests::fail);
        events.onCallPermitted(LimiterFactoryTests::fail)
                .onCallRejected(LimiterFactoryTests::fail)
                .onCallFinished(LimiterFactoryTests::fail);
        for (int i = 0; i < 2; i++) {
            assertThat(limiter.tryAcquire()).isTrue();
            assertThat(limiter.tryAcquire()).isFalse();
            assertThat(limiter.inFlight()).isEqualTo(1);
            limiter.release();
            assertThat(limiter.inFlight()).isZero();
        }
        assertThat(heard)
                .startsWith(
                        BulkheadEvent.Type.CALL_PERMITTED,
                        BulkheadEvent.Type.CALL_REJECTED,
                        BulkheadEvent.Type.CALL_FINISHED)
                .hasSize(6);
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "auto"})
    void takesThePlaceOfABulkheadOfItsName(String max) {
        registry.bulkhead("test", BulkheadConfig.custom().maxConcurrentCalls(77).build());
        List<String> replaced = new ArrayList<>();
        registry.getEventPublisher()
                .onEntryReplaced(event -> replaced.add(event.getNewEntry().getName()));
        ConcurrencyLimiter limiter = factory.create("test", MaxConcurrency.parse("test", max));
        Bulkhead shown = registry.find("test").orElseThrow();
        assertThat(limiter.tryAcquire()).isTrue();
        assertThat(shown.getMetrics().getAvailableConcurrentCalls()).isZero();
        assertThat(shown.getMetrics().getMaxAllowedConcurrentCalls()).isEqualTo(1);
        assertThat(shown.getTags()).containsEntry("team", "blue");
        assertThat(replaced).containsExactly("test");
    }

    private static void fail(BulkheadEvent event) {
        throw new IllegalStateException("thrown by a test");
    }
}
