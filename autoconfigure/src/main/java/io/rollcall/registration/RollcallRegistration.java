package io.rollcall.registration;

import io.rollcall.registry.Instance;
import java.net.URI;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.cloud.client.serviceregistry.Registration;

/**
 * One port of this application as Spring Cloud sees it. Its host and port are known once the port is bound; until then they are
 * empty and 0. Thread-safe.
 */
public final class RollcallRegistration implements Registration {

    private final PortDefinition definition;

    private volatile @Nullable Instance instance;

    RollcallRegistration(PortDefinition definition) {
        this.definition = definition;
    }

    /** The port's name: {@code http}, {@code management} or one from the properties. */
    public String getPortName() {
        return definition.name();
    }

    PortDefinition definition() {
        return definition;
    }

    Set<String> registries() {
        return definition.registries();
    }

    /** What is told to the registries, or null until the port is bound. */
    public @Nullable Instance getInstance() {
        return instance;
    }

    void instance(Instance bound) {
        this.instance = bound;
    }

    @Override
    public @Nullable String getInstanceId() {
        Instance bound = instance;
        return bound == null ? null : bound.id();
    }

    @Override
    public String getServiceId() {
        return definition.serviceName();
    }

    @Override
    public String getHost() {
        Instance bound = instance;
        return bound == null ? "" : bound.host();
    }

    @Override
    public int getPort() {
        Instance bound = instance;
        return bound == null ? 0 : bound.port();
    }

    @Override
    public boolean isSecure() {
        Instance bound = instance;
        return bound != null && bound.secure();
    }

    @Override
    public String getScheme() {
        return isSecure() ? "https" : "http";
    }

    @Override
    public URI getUri() {
        Instance bound = instance;
        return bound == null ? URI.create("") : bound.uri();
    }

    @Override
    public Map<String, String> getMetadata() {
        Instance bound = instance;
        return bound == null ? Map.of() : bound.metadata();
    }

    @Override
    public String toString() {
        Instance bound = instance;
        return definition.name() + " port of " + getServiceId() + (bound == null ? "" : " at " + bound.address());
    }
}
