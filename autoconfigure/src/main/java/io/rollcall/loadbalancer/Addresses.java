package io.rollcall.loadbalancer;

import org.springframework.cloud.client.ServiceInstance;

/** Whether two entries of lists mean the same server. */
final class Addresses {

    private Addresses() {}

    /** Compares where a call would go, since ids, metadata and the objects themselves change between lists. */
    static boolean same(ServiceInstance one, ServiceInstance other) {
        return one.getPort() == other.getPort() && one.getHost().equalsIgnoreCase(other.getHost());
    }
}
