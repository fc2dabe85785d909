package io.rollcall.loadbalancer;

import io.rollcall.ConditionalOnRollcallEnabled;
import io.rollcall.discovery.LiveServices;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClientSpecification;
import org.springframework.cloud.loadbalancer.cache.LoadBalancerCacheManager;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerZoneConfig;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** Lets Spring Cloud LoadBalancer choose from the live list, with Rollcall's strategies. */
@AutoConfiguration(before = LoadBalancerAutoConfiguration.class)
@ConditionalOnClass(LoadBalancerClientFactory.class)
@ConditionalOnRollcallEnabled
@ConditionalOnBooleanProperty(name = "spring.cloud.loadbalancer.enabled", matchIfMissing = true)
@EnableConfigurationProperties(LoadBalancerProperties.class)
@Import({FailoverConfiguration.class, OutlierMetricsConfiguration.class})
public final class RollcallLoadBalancerAutoConfiguration {

    @Bean
    LoadBalancerClientSpecification rollcallLoadBalancerClientSpecification() {
        return new LoadBalancerClientSpecification(
                "default.rollcall", new Class<?>[] {RollcallLoadBalancerClientConfiguration.class});
    }

    @Bean
    CacheEviction rollcallCacheEviction(ObjectProvider<LoadBalancerCacheManager> caches) {
        return new CacheEviction(caches);
    }

    @Bean
    InFlight rollcallInFlight() {
        return new InFlight();
    }

    @Bean
    OutlierDetection rollcallOutlierDetection(
            LoadBalancerProperties properties, ObjectProvider<LiveServices> services) {
        return new OutlierDetection(
                properties.getOutlierDetection(),
                services,
                System::nanoTime,
                () -> ThreadLocalRandom.current().nextLong());
    }

    @Bean
    CallTracker rollcallCallTracker(InFlight inFlight, OutlierDetection outliers) {
        return new CallTracker(inFlight, outliers);
    }

    @Bean
    SelectionStrategies rollcallSelectionStrategies(
            LoadBalancerProperties properties, InFlight inFlight, OutlierDetection outliers) {
        return new SelectionStrategies(properties, inFlight, outliers);
    }

    /** The zone that Spring Cloud LoadBalancer prefers: its own property, else the zone that this instance announces. */
    @Bean
    @ConditionalOnMissingBean
    LoadBalancerZoneConfig zoneConfig(Environment environment) {
        String zone = environment.getProperty("spring.cloud.loadbalancer.zone");
        return new LoadBalancerZoneConfig(zone != null ? zone : environment.getProperty("rollcall.instance.zone"));
    }
}
