package io.rollcall.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rollcall.ConditionalOnRollcallEnabled;
import io.rollcall.autoconfigure.RollcallAutoConfiguration;
import io.rollcall.discovery.LiveServices;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.Registries;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;

/** Metrics, where Micrometer is there. */
@AutoConfiguration(after = RollcallAutoConfiguration.class)
@ConditionalOnRollcallEnabled
@ConditionalOnClass(MeterBinder.class)
public final class RollcallMetricsAutoConfiguration {

    @Bean
    RollcallMetrics rollcallMetrics(
            Registries registries,
            ObjectProvider<PortRegistrations> registrations,
            ObjectProvider<RollcallServiceRegistry> serviceRegistry,
            ObjectProvider<LiveServices> services,
            ObjectProvider<Clock> clock) {
        return new RollcallMetrics(
                registries, registrations, serviceRegistry, services, clock.getIfUnique(Clock::systemUTC));
    }

    @Bean
    CallTimer rollcallCallTimer(ObjectProvider<MeterRegistry> meters) {
        return new CallTimer(meters);
    }
}
