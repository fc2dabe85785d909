package io.rollcall.loadbalancer;

import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.util.ConcurrentLruCache;

/**
 * The same instance for the same caller as long as it is listed. A key that is an instance's id means that instance. Any
 * other key is placed by its hash the first time, so that all callers agree, and remembered, so that an instance that comes later
 * does not take it over. The {@value #CAPACITY} keys used last are remembered.
 */
final class StickyStrategy implements SelectionStrategy {

    private static final int CAPACITY = 10_000;

    private final Function<Request<?>, @Nullable String> keys;

    private final SelectionStrategy fallback;

    private final ConcurrentLruCache<String, Tie> ties = new ConcurrentLruCache<>(CAPACITY, key -> new Tie());

    private final Predicate<ServiceInstance> setAside;

    /**
     * @param keys gives a caller's key, or null if it has none
     * @param fallback chooses for those
     * @param setAside whether an instance that is no candidate is so for a while only
     */
    StickyStrategy(
            Function<Request<?>, @Nullable String> keys,
            SelectionStrategy fallback,
            Predicate<ServiceInstance> setAside) {
        this.keys = keys;
        this.fallback = fallback;
        this.setAside = setAside;
    }

    @Override
    public ServiceInstance choose(List<ServiceInstance> candidates, Request<?> request) {
        String key = keys.apply(request);
        if (key == null) {
            return fallback.choose(candidates, request);
        }
        for (ServiceInstance candidate : candidates) {
            if (key.equals(candidate.getInstanceId())) {
                return candidate;
            }
        }
        if (Call.isRetry(request)) {
            // A refusal is for the moment; the caller stays tied to the instance that has its session.
            return candidates.get(Hash.place(key, Hash.seeds(candidates)));
        }
        return ties.get(key).resolve(key, candidates, setAside);
    }

    private static final class Tie {

        private volatile @Nullable ServiceInstance instance;

        ServiceInstance resolve(String key, List<ServiceInstance> candidates, Predicate<ServiceInstance> setAside) {
            ServiceInstance tied = instance;
            if (tied != null) {
                for (ServiceInstance candidate : candidates) {
                    if (Address.same(tied, candidate)) {
                        return candidate;
                    }
                }
            }
            ServiceInstance chosen = candidates.get(Hash.place(key, Hash.seeds(candidates)));
            if (tied == null || !setAside.test(tied)) {
                instance = chosen;
            }
            return chosen;
        }
    }
}
