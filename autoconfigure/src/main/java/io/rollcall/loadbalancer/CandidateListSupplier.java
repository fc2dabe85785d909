package io.rollcall.loadbalancer;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;
import org.springframework.cloud.loadbalancer.core.DelegatingServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import reactor.core.publisher.Flux;

/** Takes away what must not be chosen: instances of weight 0, those that are set aside, and those that this call has tried. */
final class CandidateListSupplier extends DelegatingServiceInstanceListSupplier {

    private final PerList<List<ServiceInstance>> withTraffic = new PerList<>(CandidateListSupplier::withTraffic);

    private final Outliers outliers;

    private final boolean complete;

    /**
     * @param outliers those of the service
     * @param complete whether the delegate always gives all instances, and not some for this call and some for that
     */
    CandidateListSupplier(ServiceInstanceListSupplier delegate, Outliers outliers, boolean complete) {
        super(delegate);
        this.outliers = outliers;
        this.complete = complete;
    }

    /** Whether a supplier, or one that it builds on, is of this class. */
    static boolean isPartOf(ServiceInstanceListSupplier supplier) {
        if (supplier instanceof CandidateListSupplier) {
            return true;
        }
        return supplier instanceof DelegatingServiceInstanceListSupplier delegating
                && isPartOf(delegating.getDelegate());
    }

    @Override
    public Flux<List<ServiceInstance>> get() {
        return delegate.get().map(withTraffic::of);
    }

    @Override
    @SuppressWarnings("rawtypes") // as Spring Cloud declares it
    public Flux<List<ServiceInstance>> get(Request request) {
        return delegate.get(request).map(list -> candidates(withTraffic.of(list), request));
    }

    private List<ServiceInstance> candidates(List<ServiceInstance> list, Request<?> request) {
        if (!outliers.isEmpty()) {
            return outliers.candidates(list, complete, request);
        }
        Call call = Call.of(request);
        return call != null ? call.untried(list) : list;
    }

    private static List<ServiceInstance> withTraffic(List<ServiceInstance> instances) {
        boolean all = instances.stream().allMatch(instance -> Weight.of(instance) > 0);
        return all
                ? instances
                : instances.stream().filter(instance -> Weight.of(instance) > 0).toList();
    }
}
