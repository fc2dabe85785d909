package io.rollcall.discovery;

import io.rollcall.ConditionalOnRollcallEnabled;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.RollcallProperties;
import io.rollcall.autoconfigure.RollcallAutoConfiguration;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Events;
import java.io.File;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.client.ConditionalOnBlockingDiscoveryEnabled;
import org.springframework.cloud.client.ConditionalOnDiscoveryEnabled;
import org.springframework.cloud.client.ConditionalOnReactiveDiscoveryEnabled;
import org.springframework.cloud.client.discovery.composite.CompositeDiscoveryClientAutoConfiguration;
import org.springframework.cloud.client.discovery.composite.reactive.ReactiveCompositeDiscoveryClientAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Finds other services in all registries. */
@AutoConfiguration(
        after = RollcallAutoConfiguration.class,
        before = {
            CompositeDiscoveryClientAutoConfiguration.class,
            ReactiveCompositeDiscoveryClientAutoConfiguration.class
        })
@ConditionalOnRollcallEnabled
@ConditionalOnDiscoveryEnabled
public final class DiscoveryAutoConfiguration {

    @Bean
    ServiceCache rollcallServiceCache(
            RollcallProperties properties,
            Registries registries,
            Events events,
            ObjectProvider<SnapshotFile> snapshot) {
        List<String> names = registries.stream()
                .filter(registry -> registry.resolver() != null)
                .map(Registry::name)
                .toList();
        SnapshotFile file = snapshot.getIfAvailable();
        LastKnown lastKnown = file == null ? LastKnown.NOTHING : LastKnown.of(file.read(), registries);
        return new ServiceCache(names, properties.getDiscovery().getPolicy(), events, lastKnown);
    }

    @Bean
    ResolverWorkers rollcallResolverWorkers(
            Registries registries, ServiceCache cache, Alarms alarms, ObjectProvider<Clock> clock) {
        return new ResolverWorkers(registries.stream()
                .flatMap(registry -> ResolverWorkers.of(registry, cache, alarms, clock.getIfUnique(Clock::systemUTC)))
                .toList());
    }

    @Bean
    LiveServices rollcallLiveServices(ServiceCache cache, ResolverWorkers workers, Registries registries) {
        Duration patience = registries.stream()
                .filter(registry -> registry.resolver() != null)
                .map(registry -> registry.timing().timeout())
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        return new LiveServices(cache, workers.all(), patience);
    }

    @Bean
    ServiceWatcher rollcallServiceWatcher(LiveServices services, RollcallProperties properties, Alarms alarms) {
        Duration delay = properties.getDiscovery().getWatchDelay();
        if (delay.isNegative() || delay.isZero()) {
            throw new InvalidConfigurationException(
                    "rollcall.discovery.watch-delay",
                    delay.toString(),
                    "the time between two refreshes has to be above zero",
                    "Set it to how long a list may at most be stale, such as '30s'.");
        }
        return new ServiceWatcher(services, delay, alarms);
    }

    @Configuration(proxyBeanMethods = false)
    @Conditional(OnSnapshotDirectoryCondition.class)
    static class SnapshotConfiguration {

        @Bean
        SnapshotFile rollcallSnapshotFile(
                RollcallProperties properties, Environment environment, ObjectProvider<Clock> clock) {
            String name = StringUtils.hasText(properties.getServiceName())
                    ? properties.getServiceName()
                    : environment.getProperty("spring.application.name", "application");
            File directory = Objects.requireNonNull(
                    properties.getDiscovery().getSnapshot().getDirectory());
            SnapshotFile file = new SnapshotFile(directory.toPath(), name.trim());
            file.prepare(clock.getIfUnique(Clock::systemUTC));
            return file;
        }

        @Bean
        SnapshotSaver rollcallSnapshotSaver(
                SnapshotFile file,
                ServiceCache cache,
                Registries registries,
                Alarms alarms,
                ObjectProvider<Clock> clock) {
            return new SnapshotSaver(file, cache, registries, alarms, clock.getIfUnique(Clock::systemUTC));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBlockingDiscoveryEnabled
    static class BlockingConfiguration {

        @Bean
        RollcallDiscoveryClient rollcallDiscoveryClient(LiveServices services) {
            return new RollcallDiscoveryClient(services);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnReactiveDiscoveryEnabled
    @ConditionalOnClass(name = "reactor.core.publisher.Flux")
    static class ReactiveConfiguration {

        @Bean
        RollcallReactiveDiscoveryClient rollcallReactiveDiscoveryClient(LiveServices services) {
            return new RollcallReactiveDiscoveryClient(services);
        }
    }
}
