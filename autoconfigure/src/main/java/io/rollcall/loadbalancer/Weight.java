package io.rollcall.loadbalancer;

import io.rollcall.registry.Instance;
import org.springframework.cloud.client.ServiceInstance;

/** An instance's share of the traffic, by the same rule wherever the instance comes from. */
final class Weight {

    private Weight() {}

    /** From 0 (no traffic) to 10000, as {@link Instance#weightOf} reads it. */
    static int of(ServiceInstance instance) {
        return Instance.weightOf(instance.getMetadata());
    }
}
