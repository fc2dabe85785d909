package io.rollcall.loadbalancer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.gateway.server.mvc.handler.ProxyExchange;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;

/** Puts the failover around the servlet gateway's exchange, be it the gateway's own or a user's. */
final class ProxyExchangePostProcessor implements BeanPostProcessor {

    private final ObjectProvider<LoadBalancerClient> loadBalancer;

    private final ObjectProvider<LoadBalancerClientFactory> clients;

    private final ObjectProvider<Failover> failover;

    private final ObjectProvider<CallTracker> tracker;

    ProxyExchangePostProcessor(
            ObjectProvider<LoadBalancerClient> loadBalancer,
            ObjectProvider<LoadBalancerClientFactory> clients,
            ObjectProvider<Failover> failover,
            ObjectProvider<CallTracker> tracker) {
        this.loadBalancer = loadBalancer;
        this.clients = clients;
        this.failover = failover;
        this.tracker = tracker;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ProxyExchange exchange) {
            return new FailoverProxyExchange(
                    exchange,
                    loadBalancer.getObject(),
                    clients.getObject(),
                    failover.getObject().maxBodySize(),
                    tracker.getObject());
        }
        return bean;
    }
}
