package io.rollcall.loadbalancer;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;

/**
 * Of two different instances taken at random, the one with fewer requests in flight (Mitzenmacher, "The Power of Two Choices
 * in Randomized Load Balancing", 2001): nearly as even as looking at all of them, and callers do not all run to the same one.
 */
final class LeastRequestsStrategy implements SelectionStrategy {

    private final InFlight inFlight;

    LeastRequestsStrategy(InFlight inFlight) {
        this.inFlight = inFlight;
    }

    @Override
    public ServiceInstance choose(List<ServiceInstance> candidates, Request<?> request) {
        if (candidates.size() == 1) {
            return candidates.get(0);
        }
        ThreadLocalRandom random = ThreadLocalRandom.current();
        int first = random.nextInt(candidates.size());
        int second = random.nextInt(candidates.size() - 1);
        if (second >= first) {
            second++;
        }
        ServiceInstance one = candidates.get(first);
        ServiceInstance other = candidates.get(second);
        return inFlight.count(one) <= inFlight.count(other) ? one : other;
    }
}
