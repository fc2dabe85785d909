package io.rollcall.loadbalancer;

import feign.Capability;
import java.util.Collections;
import java.util.List;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerClientRequestTransformer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactiveLoadBalancer;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerExchangeFilterFunction;
import org.springframework.cloud.gateway.filter.ReactiveLoadBalancerClientFilter;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClientSpecification;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.cloud.openfeign.loadbalancer.FeignBlockingLoadBalancerClient;
import org.springframework.cloud.openfeign.loadbalancer.LoadBalancerFeignRequestTransformer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.web.reactive.function.client.WebClient;

/**
 * The failover of each kind of client that is there. All of it steps aside if the application switches on Spring Cloud's own
 * retry, which would repeat what was repeated already.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty(
        name = "spring.cloud.loadbalancer.retry.enabled",
        havingValue = false,
        matchIfMissing = true)
@Import(ApacheHttpClientConfiguration.class)
class FailoverConfiguration {

    @Bean
    Failover rollcallFailover(LoadBalancerProperties properties) {
        return new Failover(properties.getRetry(), System::nanoTime);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ClientHttpResponse.class)
    static class Blocking {

        @Bean
        @ConditionalOnMissingBean
        LoadBalancerClient rollcallLoadBalancerClient(
                ReactiveLoadBalancer.Factory<ServiceInstance> clients, Failover failover, CallTracker tracker) {
            return new FailoverLoadBalancerClient(clients, failover, tracker);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebClient.class)
    static class Reactive {

        @Bean
        @ConditionalOnMissingBean
        ReactorLoadBalancerExchangeFilterFunction rollcallLoadBalancerExchangeFilterFunction(
                ReactiveLoadBalancer.Factory<ServiceInstance> clients,
                ObjectProvider<List<LoadBalancerClientRequestTransformer>> transformers,
                Failover failover,
                CallTracker tracker) {
            return new FailoverExchangeFilterFunction(
                    clients, transformers.getIfAvailable(Collections::emptyList), failover, tracker);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Capability.class, FeignBlockingLoadBalancerClient.class})
    @RegisterReflection(
            classes = FailoverFeignCapability.class,
            memberCategories = MemberCategory.INVOKE_PUBLIC_METHODS)
    static class Feign {

        @Bean
        FailoverFeignCapability rollcallFeignCapability(
                ObjectProvider<LoadBalancerClient> loadBalancer,
                ObjectProvider<LoadBalancerClientFactory> clients,
                ObjectProvider<LoadBalancerFeignRequestTransformer> transformers,
                Failover failover,
                CallTracker tracker) {
            return new FailoverFeignCapability(loadBalancer, clients, transformers, failover, tracker);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ReactiveLoadBalancerClientFilter.class)
    static class ReactiveGateway {

        @Bean
        FailoverGatewayFilter rollcallGatewayFilter(Failover failover, CallTracker tracker) {
            return new FailoverGatewayFilter(failover, tracker);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ProxyExchange.class)
    static class ServletGateway {

        @Bean
        static ProxyExchangePostProcessor rollcallProxyExchangePostProcessor(
                ObjectProvider<LoadBalancerClient> loadBalancer,
                ObjectProvider<LoadBalancerClientFactory> clients,
                ObjectProvider<Failover> failover,
                ObjectProvider<CallTracker> tracker) {
            return new ProxyExchangePostProcessor(loadBalancer, clients, failover, tracker);
        }

        @Bean
        LoadBalancerClientSpecification rollcallServletGatewayClientSpecification() {
            return new LoadBalancerClientSpecification(
                    "default.rollcall-servlet-gateway", new Class<?>[] {ServletGatewayClientConfiguration.class});
        }
    }
}
