package io.rollcall.concurrency;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;

/** Shows each limit, what is in flight under it and what it turned away. */
final class ConcurrencyMetrics implements MeterBinder {

    private static final String PREFIX = "rollcall.concurrency.";
    private static final String LONG_LIVED = "long-lived.";
    private static final String GROUP = "group";

    private final Admission admission;

    ConcurrencyMetrics(Admission admission) {
        this.admission = admission;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        admission.requestGates().forEach(gate -> bind(registry, PREFIX, gate));
        // Under names of its own: summed up with the others the limit would say nothing.
        bind(registry, PREFIX + LONG_LIVED, admission.longLived());
    }

    private static void bind(MeterRegistry registry, String prefix, Gate gate) {
        Gauge.builder(prefix + "limit", gate, g -> g.limiter().limit())
                .description("Requests that may be in flight")
                .tag(GROUP, gate.name())
                .register(registry);
        Gauge.builder(prefix + "in-flight", gate, g -> g.limiter().inFlight())
                .description("Requests in flight")
                .tag(GROUP, gate.name())
                .register(registry);
        FunctionCounter.builder(prefix + "rejected", gate, Gate::rejected)
                .description("Requests refused at the limit")
                .tag(GROUP, gate.name())
                .register(registry);
    }
}
