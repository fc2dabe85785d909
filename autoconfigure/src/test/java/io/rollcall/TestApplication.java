package io.rollcall;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

/** Starts applications as users would, beside the stock starters that the tests' class path has, on loopback and free ports. */
public final class TestApplication {

    private final List<Class<?>> sources = new ArrayList<>(List.of(Basics.class));

    private final List<String> properties = new ArrayList<>(List.of(
            "server.port=0",
            "server.address=127.0.0.1",
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.health.show-details=always",
            "management.health.redis.enabled=false",
            "spring.main.banner-mode=off",
            "spring.cloud.consul.enabled=false",
            "eureka.client.enabled=false",
            "rollcall.registration.drain-wait=0s"));

    private WebApplicationType type = WebApplicationType.SERVLET;

    private boolean shutdownHook;

    private TestApplication(String name) {
        properties.add("spring.application.name=" + name);
    }

    /** An application of that name. */
    public static TestApplication named(String name) {
        return new TestApplication(name);
    }

    /** A name, or URL of a memory registry, that no other test uses. */
    public static String unique(String prefix) {
        return prefix + UUID.randomUUID();
    }

    /** Adds or replaces properties, each as {@code key=value}. */
    public TestApplication with(String... more) {
        for (String property : more) {
            String key = property.substring(0, property.indexOf('=') + 1);
            properties.removeIf(known -> known.startsWith(key));
            properties.add(property);
        }
        return this;
    }

    /** Adds configuration classes. */
    public TestApplication with(Class<?>... more) {
        sources.addAll(List.of(more));
        return this;
    }

    /** Sets the kind of web server. */
    public TestApplication type(WebApplicationType newType) {
        type = newType;
        return this;
    }

    /** Makes it stop with the process. */
    public TestApplication shutdownHook() {
        shutdownHook = true;
        return this;
    }

    /** Starts it. */
    public ConfigurableApplicationContext start() {
        return new SpringApplicationBuilder(sources.toArray(Class<?>[]::new))
                .web(type)
                .registerShutdownHook(shutdownHook)
                .run(properties.stream().map(property -> "--" + property).toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Basics {}
}
