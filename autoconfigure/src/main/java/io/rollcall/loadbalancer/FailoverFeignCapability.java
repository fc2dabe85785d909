package io.rollcall.loadbalancer;

import feign.Capability;
import feign.Client;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.cloud.client.loadbalancer.LoadBalancerClient;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.cloud.openfeign.loadbalancer.FeignBlockingLoadBalancerClient;
import org.springframework.cloud.openfeign.loadbalancer.LoadBalancerFeignRequestTransformer;
import org.springframework.core.Ordered;

/**
 * Puts the failover in place of Spring Cloud's load balancing client, around the same HTTP client. Goes first, so that other
 * capabilities see each call once. Clients with a fixed URL are not load-balanced and stay as they are, and so do a user's own
 * subclasses of Spring Cloud's client.
 *
 * <p>Public only since Feign calls it by reflection; not for use by applications.
 */
public final class FailoverFeignCapability implements Capability, Ordered {

    private final ObjectProvider<LoadBalancerClient> loadBalancer;

    private final ObjectProvider<LoadBalancerClientFactory> clients;

    private final ObjectProvider<LoadBalancerFeignRequestTransformer> transformers;

    private final Failover failover;

    private final CallTracker tracker;

    FailoverFeignCapability(
            ObjectProvider<LoadBalancerClient> loadBalancer,
            ObjectProvider<LoadBalancerClientFactory> clients,
            ObjectProvider<LoadBalancerFeignRequestTransformer> transformers,
            Failover failover,
            CallTracker tracker) {
        this.loadBalancer = loadBalancer;
        this.clients = clients;
        this.transformers = transformers;
        this.failover = failover;
        this.tracker = tracker;
    }

    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public Client enrich(Client client) {
        if (client.getClass() != FeignBlockingLoadBalancerClient.class) {
            return client;
        }
        List<LoadBalancerFeignRequestTransformer> ordered =
                transformers.orderedStream().toList();
        return new FailoverFeignClient(
                ((FeignBlockingLoadBalancerClient) client).getDelegate(),
                loadBalancer.getObject(),
                clients.getObject(),
                ordered,
                failover,
                tracker);
    }
}
