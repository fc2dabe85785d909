package io.rollcall.loadbalancer;

import java.util.Locale;
import org.springframework.cloud.client.ServiceInstance;

/**
 * Where calls to an instance go. It tells instances apart, since ids, metadata and the objects themselves change between lists.
 *
 * @param host in lower case
 * @param port the port
 */
record Address(String host, int port) {

    static Address of(ServiceInstance instance) {
        return new Address(instance.getHost().toLowerCase(Locale.ROOT), instance.getPort());
    }

    /** Whether two entries of lists mean the same server. */
    static boolean same(ServiceInstance one, ServiceInstance other) {
        return one.getPort() == other.getPort() && one.getHost().equalsIgnoreCase(other.getHost());
    }

    @Override
    public String toString() {
        return host + ":" + port;
    }
}
