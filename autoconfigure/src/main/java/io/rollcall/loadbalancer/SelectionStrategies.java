package io.rollcall.loadbalancer;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.loadbalancer.Request;

/** Makes the strategy that the properties name for a service. */
final class SelectionStrategies {

    private final LoadBalancerProperties properties;

    private final InFlight inFlight;

    private final OutlierDetection outliers;

    SelectionStrategies(LoadBalancerProperties properties, InFlight inFlight, OutlierDetection outliers) {
        this.properties = properties;
        this.inFlight = inFlight;
        this.outliers = outliers;
    }

    /**
     * Makes a strategy with a state of its own.
     * @param serviceId the service that it is for
     * @param sessionCookie the cookie that ties a caller to an instance if the properties name none
     */
    SelectionStrategy create(String serviceId, String sessionCookie) {
        return switch (properties.strategyOf(serviceId)) {
            case RANDOM ->
                (candidates, request) ->
                        candidates.get(ThreadLocalRandom.current().nextInt(candidates.size()));
            case ROUND_ROBIN -> new RoundRobinStrategy();
            case WEIGHTED -> new WeightedStrategy();
            case STICKY ->
                new StickyStrategy(
                        sessionKey(sessionCookie), new RoundRobinStrategy(), outliers.of(serviceId)::isSetAside);
            case CONSISTENT_HASH -> new ConsistentHashStrategy(hashKey(), new RoundRobinStrategy());
            case LEAST_REQUESTS -> new LeastRequestsStrategy(inFlight);
        };
    }

    private Function<Request<?>, @Nullable String> sessionKey(String sessionCookie) {
        LoadBalancerProperties.Sticky sticky = properties.getSticky();
        String header = sticky.getHeader();
        String own = sticky.getCookie();
        String cookie = own != null && !own.isBlank() ? own : sessionCookie;
        return request -> {
            String key = header != null ? RequestKeys.header(request, header) : null;
            return key != null ? key : RequestKeys.cookie(request, cookie);
        };
    }

    private Function<Request<?>, @Nullable String> hashKey() {
        String header = properties.getHashHeader();
        return request -> {
            String key = header != null ? RequestKeys.header(request, header) : null;
            return key != null ? key : RequestKeys.path(request);
        };
    }
}
