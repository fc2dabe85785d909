package io.rollcall.loadbalancer;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The number of instances that are set aside as a metric, where Micrometer is there. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(MeterBinder.class)
class OutlierMetricsConfiguration {

    @Bean
    MeterBinder rollcallOutlierMetrics(OutlierDetection outliers) {
        return meters -> Gauge.builder("rollcall.load-balancer.set-aside", outliers, OutlierDetection::count)
                .description("Instances that this application does not call for the moment, since they failed")
                .register(meters);
    }
}
