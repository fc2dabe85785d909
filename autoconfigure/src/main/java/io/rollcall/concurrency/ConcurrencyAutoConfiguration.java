package io.rollcall.concurrency;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.rollcall.InvalidConfigurationException;
import java.util.OptionalInt;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/**
 * {@link AutoConfiguration Auto-configuration} of the limits behind {@code rollcall.max-concurrency}; the filters that ask
 * them are configured apart, per kind of web application.
 */
@AutoConfiguration(
        afterName = {
            "io.github.resilience4j.springboot.bulkhead.autoconfigure.BulkheadAutoConfiguration",
            "io.github.resilience4j.springboot3.bulkhead.autoconfigure.BulkheadAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.endpoint.web.WebEndpointAutoConfiguration",
            "org.springframework.cloud.circuitbreaker.resilience4j.Resilience4JAutoConfiguration"
        })
@ConditionalOnWebApplication
@ConditionalOnConcurrencyLimit
@EnableConfigurationProperties(ConcurrencyProperties.class)
public final class ConcurrencyAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Bulkhead.class)
    static class Limits {

        @Bean
        @ConditionalOnMissingBean
        BulkheadRegistry bulkheadRegistry() {
            return BulkheadRegistry.ofDefaults();
        }

        @Bean
        LimiterFactory rollcallLimiterFactory(
                ConcurrencyProperties properties,
                BulkheadRegistry registry,
                ObjectProvider<RequestThreads> requestThreads) {
            RequestThreads threads = requestThreads.getIfAvailable();
            ConcurrencyProperties.Concurrency details = properties.getConcurrency();
            LimitBounds bounds = LimitBounds.of(
                    details.getFloor(),
                    details.getCeiling(),
                    threads != null ? OptionalInt.of(threads.max()) : OptionalInt.empty());
            return new LimiterFactory(registry, bounds);
        }

        @Bean
        Admission rollcallAdmission(
                ConcurrencyProperties properties,
                LimiterFactory limiters,
                ObjectProvider<ExemptPaths> exemptPaths,
                ObjectProvider<RequestThreads> requestThreads) {
            RequestThreads threads = requestThreads.getIfAvailable();
            Admission admission =
                    new AdmissionFactory(limiters, System::nanoTime).create(properties, exemptPaths.orderedStream());
            if (threads != null) {
                ThreadCheck.check(admission, threads);
            }
            return admission;
        }

        @Bean
        Refusal rollcallRefusal(ConcurrencyProperties properties) {
            ConcurrencyProperties.Concurrency details = properties.getConcurrency();
            return Refusal.of(details.getStatus(), details.getRetryAfter());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Bulkhead.class, EnvironmentChangeEvent.class})
    static class Refresh {

        @Bean
        LimitRefresh rollcallLimitRefresh(
                Environment environment,
                Admission admission,
                LimiterFactory limiters,
                ObjectProvider<RequestThreads> requestThreads) {
            return new LimitRefresh(environment, admission, limiters, requestThreads.getIfAvailable());
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass("io.github.resilience4j.bulkhead.Bulkhead")
    static class NoLibrary {

        NoLibrary(ConcurrencyProperties properties) {
            throw new InvalidConfigurationException(
                    OnConcurrencyLimitCondition.MAX_CONCURRENCY,
                    String.valueOf(properties.getMaxConcurrency()),
                    "no limit can be kept without resilience4j's bulkhead",
                    "Add the dependency 'io.github.resilience4j:resilience4j-bulkhead', or remove the limit.");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MeterBinder.class, Bulkhead.class})
    static class Metrics {

        @Bean
        ConcurrencyMetrics rollcallConcurrencyMetrics(Admission admission) {
            return new ConcurrencyMetrics(admission);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({PathMappedEndpoints.class, ManagementPortType.class})
    static class Actuator {

        @Bean
        ExemptPaths rollcallActuatorPaths(ObjectProvider<PathMappedEndpoints> endpoints, Environment environment) {
            boolean sharesPort = ManagementPortType.get(environment) == ManagementPortType.SAME;
            String servletPath = environment.getProperty("spring.mvc.servlet.path", "/");
            return () -> endpoints.stream()
                    .flatMap(paths -> new ActuatorPaths(paths, servletPath, sharesPort).patterns().stream())
                    .toList();
        }
    }
}
