package io.rollcall.concurrency;

import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Starts an application on a real server and a free port, without the registries' clients that the tests have too. */
final class TestApplication implements AutoCloseable {

    private static final String[] QUIET = {
        "server.port=0",
        "spring.main.banner-mode=off",
        // Tomcat at times waits in vain for a request that it has dropped after a reset.
        "spring.lifecycle.timeout-per-shutdown-phase=1s",
        "spring.cloud.discovery.enabled=false",
        "spring.cloud.service-registry.auto-registration.enabled=false",
        "spring.cloud.consul.enabled=false",
        "spring.cloud.zookeeper.enabled=false",
        "eureka.client.enabled=false",
        "management.health.defaults.enabled=false",
        "management.endpoints.web.exposure.include=*"
    };

    private final ConfigurableApplicationContext context;

    private TestApplication(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** On Tomcat, or on Jetty where the tests have that. */
    static TestApplication onServlet(Class<?> configuration, String... properties) {
        return start(WebApplicationType.SERVLET, configuration, properties);
    }

    static TestApplication onNetty(Class<?> configuration, String... properties) {
        List<String> all = new ArrayList<>(List.of(properties));
        all.add("spring.autoconfigure.exclude="
                + "org.springframework.boot.tomcat.autoconfigure.reactive.TomcatReactiveWebServerAutoConfiguration,"
                + "org.springframework.boot.tomcat.autoconfigure.actuate.web.server"
                + ".TomcatReactiveManagementContextAutoConfiguration");
        return start(WebApplicationType.REACTIVE, configuration, all.toArray(String[]::new));
    }

    private static TestApplication start(WebApplicationType type, Class<?> configuration, String... properties) {
        return new TestApplication(new SpringApplicationBuilder(configuration)
                .web(type)
                .properties(QUIET)
                .properties(properties)
                .run());
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    int port() {
        return ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    RawHttp connect() throws java.io.IOException {
        return new RawHttp(port());
    }

    RawHttp.Response exchange(String requestLine, String... headers) throws java.io.IOException {
        try (RawHttp http = connect()) {
            return http.exchange(requestLine, headers);
        }
    }

    Admission admission() {
        return context.getBean(Admission.class);
    }

    Gate gate() {
        return admission().requestGates().get(0);
    }

    int inFlight() {
        return gate().limiter().inFlight();
    }

    int longLived() {
        return admission().longLived().limiter().inFlight();
    }

    @Override
    public void close() {
        context.close();
    }
}
