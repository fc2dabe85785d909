package io.rollcall.loadbalancer;

import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * Begins the servlet gateway's calls: its load balancer filter, alone of all clients, asks the service's own context for the client
 * that chooses its instance.
 */
@Configuration(proxyBeanMethods = false)
class ServletGatewayClientConfiguration {

    @Bean
    CallLoadBalancerClient rollcallServletGatewayClient(LoadBalancerClientFactory clients, Failover failover) {
        return new CallLoadBalancerClient(clients.getParent().getBean(LoadBalancerClient.class), failover::begin);
    }
}
