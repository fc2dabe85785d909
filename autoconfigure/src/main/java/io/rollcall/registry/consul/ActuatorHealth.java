package io.rollcall.registry.consul;

import io.rollcall.registry.Instance;
import jakarta.servlet.ServletContext;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

/** Where the application itself tells its health, once its ports are bound. */
final class ActuatorHealth {

    private static final String ENDPOINTS = "org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints";

    private static final String SERVLETS = "jakarta.servlet.ServletContext";

    private final BeanFactory beanFactory;

    private final Environment environment;

    ActuatorHealth(BeanFactory beanFactory, Environment environment) {
        this.beanFactory = beanFactory;
        this.environment = environment;
    }

    /** The URL of Actuator's health endpoint as the instance's host can be asked for it, or null if it is not on the web. */
    @Nullable
    String url(Instance instance) {
        String path =
                ClassUtils.isPresent(ENDPOINTS, getClass().getClassLoader()) ? Endpoints.health(beanFactory) : null;
        if (path == null || environment.getProperty("management.server.port", Integer.class, 0) < 0) {
            return null;
        }
        String managementPort = environment.getProperty("local.management.port");
        String serverPort = environment.getProperty("local.server.port", Integer.toString(instance.port()));
        boolean own = managementPort != null && !managementPort.equals(serverPort);
        // Where ports are mapped, as those of containers are, the agent reaches none of those that are bound.
        String mapped = environment.getProperty("rollcall.ports." + (own ? "management" : "http") + ".port");
        String address = own && mapped == null ? environment.getProperty("management.server.address") : null;
        String host = address == null || isBoundToAll(address)
                ? instance.uriHost()
                : instance.withHost(address.replaceAll("[\\[\\]]", "")).uriHost();
        return (usesTls(own ? "management.server.ssl" : "server.ssl") ? "https://" : "http://")
                + host
                + ":"
                + (mapped != null ? mapped : own ? managementPort : serverPort)
                + (own
                        ? path("management.server.base-path")
                        : contextPath() + path("spring.mvc.servlet.path") + path("spring.webflux.base-path"))
                + path;
    }

    /** Such an address is none to ask at; a name is not looked up for it. */
    private static boolean isBoundToAll(String address) {
        try {
            boolean literal = address.indexOf(':') >= 0 || address.matches("[0-9.]+");
            return literal && InetAddress.getByName(address).isAnyLocalAddress();
        } catch (UnknownHostException ex) {
            // The server can not be bound to it either.
            return false;
        }
    }

    /** In a server that was there before the application, no property says where it is. */
    private String contextPath() {
        String deployed =
                ClassUtils.isPresent(SERVLETS, getClass().getClassLoader()) ? Servlets.contextPath(beanFactory) : null;
        return deployed != null ? deployed : path("server.servlet.context-path");
    }

    private String path(String property) {
        return StringUtils.trimTrailingCharacter(environment.getProperty(property, ""), '/');
    }

    private boolean usesTls(String prefix) {
        return Binder.get(environment)
                        .bind(prefix, Bindable.mapOf(String.class, Object.class))
                        .isBound()
                && environment.getProperty(prefix + ".enabled", Boolean.class, true);
    }

    /** Loaded only where Actuator is. */
    private static final class Endpoints {

        private static final EndpointId HEALTH = EndpointId.of("health");

        private Endpoints() {}

        static @Nullable String health(BeanFactory beanFactory) {
            PathMappedEndpoints endpoints =
                    beanFactory.getBeanProvider(PathMappedEndpoints.class).getIfAvailable();
            return endpoints == null ? null : endpoints.getPath(HEALTH);
        }
    }

    /** Loaded only where the Servlet API is. */
    private static final class Servlets {

        private Servlets() {}

        static @Nullable String contextPath(BeanFactory beanFactory) {
            ServletContext context =
                    beanFactory.getBeanProvider(ServletContext.class).getIfAvailable();
            return context == null ? null : context.getContextPath();
        }
    }
}
