package io.rollcall.loadbalancer;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;

/** Chooses one of several instances. Safe for use by many threads. */
@FunctionalInterface
interface SelectionStrategy {

    /**
     * Chooses an instance.
     * @param candidates at least one instance, none of weight 0
     * @param request the call that the instance is for
     */
    ServiceInstance choose(List<ServiceInstance> candidates, Request<?> request);
}
