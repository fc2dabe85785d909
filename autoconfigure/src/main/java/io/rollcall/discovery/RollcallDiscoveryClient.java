package io.rollcall.discovery;

import java.util.List;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.DiscoveryClient;

/** Answers from the merged lists of all registries. Comes before other clients, so that what it knows is not asked for elsewhere. */
final class RollcallDiscoveryClient implements DiscoveryClient {

    static final int ORDER = -100;

    private final LiveServices services;

    RollcallDiscoveryClient(LiveServices services) {
        this.services = services;
    }

    @Override
    public String description() {
        return "Rollcall Discovery Client";
    }

    @Override
    public List<ServiceInstance> getInstances(String serviceId) {
        return services.getInstances(serviceId);
    }

    @Override
    public List<String> getServices() {
        return services.getServices();
    }

    /** Nothing to probe: a registry that is down is no reason for this application to be. */
    @Override
    public void probe() {}

    @Override
    public int getOrder() {
        return ORDER;
    }
}
