package io.rollcall.loadbalancer;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;

/** The same instance for the same key; calls without a key go to a fallback. */
final class ConsistentHashStrategy implements SelectionStrategy {

    private final Function<Request<?>, @Nullable String> keys;

    private final SelectionStrategy fallback;

    private final PerList<long[]> seeds = new PerList<>(Hash::seeds);

    ConsistentHashStrategy(Function<Request<?>, @Nullable String> keys, SelectionStrategy fallback) {
        this.keys = keys;
        this.fallback = fallback;
    }

    @Override
    public ServiceInstance choose(List<ServiceInstance> candidates, Request<?> request) {
        String key = keys.apply(request);
        if (key == null) {
            return fallback.choose(candidates, request);
        }
        long[] seeds = Call.isRetry(request) ? Hash.seeds(candidates) : this.seeds.of(candidates);
        return candidates.get(Hash.place(key, seeds));
    }
}
