package io.rollcall.loadbalancer;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.NestedConfigurationProperty;

/** How callers choose an instance, and when they move on to another one. */
@ConfigurationProperties("rollcall.load-balancer")
public class LoadBalancerProperties {

    /** How an instance is chosen. */
    private Strategy strategy = Strategy.ROUND_ROBIN;

    /**
     * Request header whose value decides the instance under the consistent-hash strategy. A request without it is
     * placed by its path.
     */
    private @Nullable String hashHeader;

    /** What ties a caller to an instance under the sticky strategy. */
    @NestedConfigurationProperty
    private final Sticky sticky = new Sticky();

    /** Settings for single services, by service name. */
    private final Map<String, Service> services = new LinkedHashMap<>();

    /** When a call moves on to another instance. */
    @NestedConfigurationProperty
    private final RetryProperties retry = new RetryProperties();

    /** When an instance that fails is set aside. */
    @NestedConfigurationProperty
    private final OutlierProperties outlierDetection = new OutlierProperties();

    public Strategy getStrategy() {
        return strategy;
    }

    public void setStrategy(Strategy strategy) {
        this.strategy = strategy;
    }

    public @Nullable String getHashHeader() {
        return hashHeader;
    }

    public void setHashHeader(@Nullable String hashHeader) {
        this.hashHeader = hashHeader;
    }

    public Sticky getSticky() {
        return sticky;
    }

    public Map<String, Service> getServices() {
        return services;
    }

    public RetryProperties getRetry() {
        return retry;
    }

    public OutlierProperties getOutlierDetection() {
        return outlierDetection;
    }

    /** The strategy of one service: its own one if it has one, else the general one. */
    Strategy strategyOf(String serviceId) {
        Service service = services.get(serviceId);
        Strategy own = service != null ? service.getStrategy() : null;
        return own != null ? own : strategy;
    }

    /** A way of choosing an instance. No strategy ever chooses an instance of weight 0. */
    public enum Strategy {

        /** Any instance, each as likely as the others. */
        RANDOM,

        /** One after the other. */
        ROUND_ROBIN,

        /** In proportion to the instances' weights. */
        WEIGHTED,

        /** The instance that this caller had before, as long as it is listed. */
        STICKY,

        /** The same instance for the same header value or path; few of them move when the list changes. */
        CONSISTENT_HASH,

        /** Of two instances taken at random, the one with fewer requests of this application in flight. */
        LEAST_REQUESTS
    }

    /** Settings for one service. */
    public static class Service {

        /** How an instance of this service is chosen. */
        private @Nullable Strategy strategy;

        public @Nullable Strategy getStrategy() {
            return strategy;
        }

        public void setStrategy(@Nullable Strategy strategy) {
            this.strategy = strategy;
        }
    }

    /** What ties a caller to an instance. */
    public static class Sticky {

        /** Request header that identifies the caller. It goes before the cookie. */
        private @Nullable String header;

        /**
         * Cookie that identifies the caller or names the instance id itself. The name of Spring Cloud's sticky-session
         * cookie if not set.
         */
        private @Nullable String cookie;

        public @Nullable String getHeader() {
            return header;
        }

        public void setHeader(@Nullable String header) {
            this.header = header;
        }

        public @Nullable String getCookie() {
            return cookie;
        }

        public void setCookie(@Nullable String cookie) {
            this.cookie = cookie;
        }
    }
}
