package io.rollcall.loadbalancer;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.client.loadbalancer.RequestData;

/**
 * One call of the application to a service, over all the instances it tries. It travels as an attribute of the
 * {@link RequestData} that Spring Cloud LoadBalancer hands to suppliers, load balancers and lifecycles, whichever the client is.
 *
 * <p>Used by one thread after the other. Only the end of an attempt may come from two sides at once, when a caller gives up
 * just as the response arrives.
 */
final class Call {

    /** The name of the request attribute. */
    static final String ATTRIBUTE = Call.class.getName();

    private final String serviceId;

    private final int maxAttempts;

    private final RetryBudget budget;

    private final List<ServiceInstance> tried = new ArrayList<>(2);

    private final AtomicReference<@Nullable ServiceInstance> current = new AtomicReference<>();

    private int candidates;

    private @Nullable Outlier offered;

    private int epoch;

    /** Retries that were charged to the budget before the call has ended. */
    private int charged;

    Call(String serviceId, int maxAttempts, RetryBudget budget) {
        this.serviceId = serviceId;
        this.maxAttempts = maxAttempts;
        this.budget = budget;
    }

    /** The call that a load balancer's request belongs to; null if it comes from a client that does not move on. */
    static @Nullable Call of(Request<?> request) {
        RequestData data = RequestKeys.data(request);
        return data != null && data.getAttributes().get(ATTRIBUTE) instanceof Call call ? call : null;
    }

    /** Whether an instance was tried for this request before. */
    static boolean isRetry(Request<?> request) {
        Call call = of(request);
        return call != null && !call.tried.isEmpty();
    }

    String serviceId() {
        return serviceId;
    }

    /** Those of a list that were not tried yet: what the next choice is made from. */
    List<ServiceInstance> untried(List<ServiceInstance> instances) {
        List<ServiceInstance> untried = tried.isEmpty()
                ? instances
                : instances.stream().filter(instance -> !wasTried(instance)).toList();
        candidates = untried.size();
        return untried;
    }

    boolean wasTried(ServiceInstance instance) {
        return tried.stream().anyMatch(other -> Address.same(instance, other));
    }

    /** Whether this call may try an instance that was set aside, since it can go on to another one if that fails. */
    boolean mayProbe() {
        return tried.isEmpty() && maxAttempts > 1 && budget.allowsRetry();
    }

    /** Among its next candidates is one that was set aside; no other call has it. */
    void offer(Outlier outlier) {
        offered = outlier;
    }

    /** Ends the offer: what was offered, or null if nothing was. */
    @Nullable
    Outlier takeOffer() {
        Outlier outlier = offered;
        offered = null;
        return outlier;
    }

    /** An offer that was not taken is no instance to move on to. */
    void decline() {
        candidates--;
    }

    /** Notes as of which change in what is set aside the current attempt was begun. */
    void begunIn(int newEpoch) {
        epoch = newEpoch;
    }

    int epoch() {
        return epoch;
    }

    void started(ServiceInstance instance) {
        tried.add(instance);
        current.set(instance);
    }

    /** How many instances were tried so far. */
    int attempts() {
        return tried.size();
    }

    /** Ends the current attempt. Returns its instance, to the first of several that end it; null to the others. */
    @Nullable
    ServiceInstance ended() {
        return current.getAndSet(null);
    }

    /**
     * Whether to try another instance, now that the last one did not process the call. If not, the retries so far were in
     * vain, and are charged to the budget.
     */
    boolean movesOn() {
        if (tried.size() < maxAttempts && candidates > 1 && budget.allowsRetry()) {
            return true;
        }
        budget.spend(tried.size() - 1 - charged);
        return false;
    }

    /** As {@link #movesOn()}, for a call that may have been processed: such a retry is charged whatever comes of it. */
    boolean repeats() {
        boolean repeats = movesOn();
        if (repeats) {
            budget.spend(1);
            charged++;
        }
        return repeats;
    }
}
