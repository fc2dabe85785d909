package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import java.net.URI;
import java.util.List;
import java.util.Map;
import org.springframework.cloud.client.ServiceInstance;

/**
 * An instance of a service, found in one or more registries. Immutable. Equal to another of the same service at the same address,
 * whatever is told about it, so that a retry knows which instance it has tried already.
 */
public final class RollcallServiceInstance implements ServiceInstance {

    private final Instance instance;

    private final List<String> registries;

    private final URI uri;

    RollcallServiceInstance(Instance instance, List<String> registries) {
        this.instance = instance;
        this.registries = List.copyOf(registries);
        this.uri = instance.uri();
    }

    Instance instance() {
        return instance;
    }

    /** Names of the registries that list it, in their order. */
    public List<String> getRegistries() {
        return registries;
    }

    @Override
    public String getInstanceId() {
        return instance.id();
    }

    @Override
    public String getServiceId() {
        return instance.service();
    }

    /** The host, an IPv6 literal in brackets, as it is put into URIs. */
    @Override
    public String getHost() {
        return instance.uriHost();
    }

    @Override
    public int getPort() {
        return instance.port();
    }

    @Override
    public boolean isSecure() {
        return instance.secure();
    }

    @Override
    public URI getUri() {
        return uri;
    }

    @Override
    public Map<String, String> getMetadata() {
        return instance.metadata();
    }

    @Override
    public String getScheme() {
        return uri.getScheme();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof RollcallServiceInstance that
                && instance.port() == that.instance.port()
                && instance.host().equals(that.instance.host())
                && instance.service().equals(that.instance.service());
    }

    @Override
    public int hashCode() {
        return 31 * instance.host().hashCode() + instance.port();
    }

    @Override
    public String toString() {
        return instance.service() + " at " + uri + " in " + registries;
    }
}
