package io.rollcall.loadbalancer;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;

/** One after the other, from a random start so that callers that start together do not call together. */
final class RoundRobinStrategy implements SelectionStrategy {

    private final AtomicInteger next =
            new AtomicInteger(ThreadLocalRandom.current().nextInt());

    @Override
    public ServiceInstance choose(List<ServiceInstance> candidates, Request<?> request) {
        // A retry takes nobody's turn: otherwise each call to an instance that refuses would bring the next one to it,
        // too.
        int turn = Call.isRetry(request) ? next.get() : next.getAndIncrement();
        return candidates.get(Math.floorMod(turn, candidates.size()));
    }
}
