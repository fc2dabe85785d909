package io.rollcall.loadbalancer;

import io.rollcall.discovery.LiveServices;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.cloud.client.discovery.ReactiveDiscoveryClient;
import org.springframework.cloud.loadbalancer.core.DiscoveryClientServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.NoopServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ReactorLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ReactorServiceInstanceLoadBalancer;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.core.env.Environment;

/**
 * What each service's own context gets, in place of Spring Cloud's defaults. A user's configuration for one client is read
 * before this one, those for all clients before or after it in no fixed order: so the beans here are fallbacks, too, which give
 * way to a user's bean in either case.
 */
@Configuration(proxyBeanMethods = false)
class RollcallLoadBalancerClientConfiguration {

    @Bean
    @Fallback
    @ConditionalOnMissingBean(ReactorLoadBalancer.class)
    ReactorServiceInstanceLoadBalancer rollcallLoadBalancer(
            Environment environment, LoadBalancerClientFactory clients, SelectionStrategies strategies) {
        String serviceId = LoadBalancerClientFactory.getName(environment);
        String sessionCookie =
                clients.getProperties(serviceId).getStickySession().getInstanceIdCookieName();
        return new StrategyLoadBalancer(
                clients.getLazyProvider(serviceId, ServiceInstanceListSupplier.class),
                strategies.create(serviceId, sessionCookie));
    }

    /** The live list, without Spring Cloud LoadBalancer's cache, which would be older. */
    @Bean
    @Fallback
    @ConditionalOnMissingBean
    @Conditional(SupplierChain.BuiltHere.class)
    ServiceInstanceListSupplier rollcallServiceInstanceListSupplier(
            ConfigurableApplicationContext context,
            Outliers outliers,
            ObjectProvider<LiveServices> services,
            ObjectProvider<ReactiveDiscoveryClient> reactive,
            ObjectProvider<DiscoveryClient> blocking) {
        ServiceInstanceListSupplier clients = discoveryClients(context.getEnvironment(), reactive, blocking);
        LiveServices live = services.getIfAvailable();
        ServiceInstanceListSupplier all =
                live != null ? new LiveListSupplier(live, clients, System::nanoTime) : clients;
        return SupplierChain.build(new CandidateListSupplier(all, outliers, true), context);
    }

    @Bean
    static CandidateListPostProcessor rollcallCandidateListPostProcessor(ObjectProvider<Outliers> outliers) {
        return new CandidateListPostProcessor(outliers);
    }

    @Bean
    Outliers rollcallOutliers(Environment environment, OutlierDetection detection) {
        return detection.of(LoadBalancerClientFactory.getName(environment));
    }

    private static ServiceInstanceListSupplier discoveryClients(
            Environment environment,
            ObjectProvider<ReactiveDiscoveryClient> reactive,
            ObjectProvider<DiscoveryClient> blocking) {
        ReactiveDiscoveryClient reactiveClient = reactive.getIfAvailable();
        if (reactiveClient != null) {
            return new DiscoveryClientServiceInstanceListSupplier(reactiveClient, environment);
        }
        DiscoveryClient blockingClient = blocking.getIfAvailable();
        return blockingClient != null
                ? new DiscoveryClientServiceInstanceListSupplier(blockingClient, environment)
                : new NoopServiceInstanceListSupplier();
    }
}
