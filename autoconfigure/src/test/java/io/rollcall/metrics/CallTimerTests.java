package io.rollcall.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.support.DefaultListableBeanFactory;

/** Calls are timed on the threads that register, which must not suffer from it. */
class CallTimerTests {

    private final DefaultListableBeanFactory beans = new DefaultListableBeanFactory();

    private final CallTimer timer = new CallTimer(beans.getBeanProvider(MeterRegistry.class));

    @Test
    void timesCallsWhereThereIsARegistryOfMeters() {
        timer.called("one", "join", Duration.ofMillis(3), true);
        MeterRegistry meters = new SimpleMeterRegistry();
        beans.registerSingleton("meters", meters);
        timer.called("one", "join", Duration.ofMillis(3), true);
        assertThat(meters.get("rollcall.join")
                        .tags("registry", "one", "outcome", "success")
                        .timer()
                        .count())
                .isEqualTo(1);
    }

    @Test
    void isSilentWhereThereAreSeveralAndNoneIsThePrimaryOne() {
        MeterRegistry meters = new SimpleMeterRegistry();
        beans.registerSingleton("meters", meters);
        beans.registerSingleton("others", new SimpleMeterRegistry());
        timer.called("one", "join", Duration.ofMillis(3), true);
        assertThat(meters.getMeters()).isEmpty();
    }
}
