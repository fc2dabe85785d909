package io.rollcall.loadbalancer;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.LongSupplier;
import org.springframework.cloud.client.loadbalancer.LoadBalancerProperties;

/** Begins calls: gives each the number of instances that it may try, and the budget of its service. */
final class Failover {

    private final RetryProperties properties;

    private final LongSupplier nanoClock;

    private final ConcurrentMap<String, RetryBudget> budgets = new ConcurrentHashMap<>();

    Failover(RetryProperties properties, LongSupplier nanoClock) {
        this.properties = properties;
        this.nanoClock = nanoClock;
    }

    Call begin(String serviceId) {
        RetryBudget budget = budgets.computeIfAbsent(serviceId, id -> newBudget());
        budget.called();
        return new Call(serviceId, maxAttempts(), budget);
    }

    /** The largest body to keep for another attempt, in bytes; 0 if there are no other attempts. */
    int maxBodySize() {
        return maxAttempts() > 1 ? (int) properties.getMaxBodySize().toBytes() : 0;
    }

    /** The hint that Spring Cloud LoadBalancer passes along with a request. */
    static String hint(LoadBalancerProperties properties, String serviceId) {
        String general = properties.getHint().getOrDefault("default", "default");
        return properties.getHint().getOrDefault(serviceId, general);
    }

    private int maxAttempts() {
        return properties.isEnabled() ? properties.getMaxAttempts() : 1;
    }

    private RetryBudget newBudget() {
        return new RetryBudget(properties.getBudget(), properties.getBudgetFloor(), nanoClock);
    }
}
