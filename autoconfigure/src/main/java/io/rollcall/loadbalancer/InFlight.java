package io.rollcall.loadbalancer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.springframework.cloud.client.ServiceInstance;

/** How many requests of this application each server has in hand. Servers without any take no memory. */
final class InFlight {

    private final ConcurrentMap<Address, Integer> counts = new ConcurrentHashMap<>();

    int count(ServiceInstance instance) {
        return counts.getOrDefault(Address.of(instance), 0);
    }

    void started(ServiceInstance instance) {
        counts.merge(Address.of(instance), 1, Integer::sum);
    }

    void ended(ServiceInstance instance) {
        counts.computeIfPresent(Address.of(instance), (address, count) -> count > 1 ? count - 1 : null);
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
