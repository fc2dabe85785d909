package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import feign.codec.Decoder;
import io.rollcall.TestApplication;
import io.rollcall.registration.RegistrationState;
import io.rollcall.registration.RegistrationStateChangedEvent;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.Instance;
import io.rollcall.servers.Ports;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.discovery.event.InstanceRegisteredEvent;
import org.springframework.cloud.loadbalancer.core.ReactorLoadBalancer;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.cloud.openfeign.FeignClientFactory;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;

/** However many contexts an application consists of, it is registered once, leaves once and waits once. */
class ContextsTests {

    private static final int CHILDREN = 25;

    private static final Duration DRAIN_WAIT = Duration.ofSeconds(1);

    private static final String[] OTHERS_OFF = {
        "eureka.client.enabled=false", "spring.cloud.consul.enabled=false", "spring.main.banner-mode=off"
    };

    private final String registry = "rollcall.registries.one.url=" + TestApplication.unique("memory:");

    private final Observer observer = new Observer(List.of(registry));

    private final TestApplication application =
            TestApplication.named("orders").with(registry).with(Recorder.class);

    @AfterEach
    void close() {
        observer.close();
    }

    private List<Instance> listed(String service) {
        return observer.listed("one", service);
    }

    private Instance awaitListed(String service) {
        await().until(() -> listed(service).size() == 1);
        return listed(service).get(0);
    }

    private static int port(ConfigurableApplicationContext context) {
        return ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    @Test
    void childContextsOfLoadBalancersAndFeignClientsNeitherRegisterNorDelayTheStop() {
        ConfigurableApplicationContext context = application
                .with("rollcall.registration.drain-wait=" + DRAIN_WAIT.toMillis() + "ms")
                .start();
        awaitListed("orders");
        Recorder recorder = context.getBean(Recorder.class);
        LoadBalancerClientFactory loadBalancers = context.getBean(LoadBalancerClientFactory.class);
        FeignClientFactory feignClients = context.getBean(FeignClientFactory.class);
        for (int i = 0; i < CHILDREN; i++) {
            assertThat(loadBalancers.getInstance("service-" + i, ReactorLoadBalancer.class))
                    .isNotNull();
            assertThat(feignClients.getInstance("service-" + i, Decoder.class)).isNotNull();
        }
        assertThat(loadBalancers.getContextNames()).hasSizeGreaterThanOrEqualTo(CHILDREN);
        assertThat(feignClients.getContextNames()).hasSizeGreaterThanOrEqualTo(CHILDREN);

        long start = System.nanoTime();
        context.close();

        // A wait per context would be 50 times as long.
        assertThat(Duration.ofNanos(System.nanoTime() - start))
                .isBetween(DRAIN_WAIT, DRAIN_WAIT.multipliedBy(CHILDREN));
        assertThat(listed("orders")).isEmpty();
        assertThat(recorder.states).containsExactly(RegistrationState.REGISTERED, RegistrationState.DEREGISTERED);
        assertThat(recorder.before).hasSize(1);
        assertThat(recorder.after).hasSize(1);
    }

    @Test
    void ofAParentAndItsChildTheOneThatHasTheWebServerRegistersAndBothHearOfIt() {
        SpringApplicationBuilder parent = new SpringApplicationBuilder(Application.class, Recorder.class)
                .web(WebApplicationType.NONE)
                .properties(OTHERS_OFF)
                .properties("spring.application.name=orders", registry);
        try (ConfigurableApplicationContext child = parent.child(Application.class, OwnRecorder.class)
                .web(WebApplicationType.SERVLET)
                .run("--server.port=0", "--rollcall.registration.drain-wait=0s")) {
            Recorder below = child.getBean(OwnRecorder.class);
            Recorder above = child.getParent().getBean("recorder", Recorder.class);

            assertThat(awaitListed("orders").port()).isEqualTo(port(child));
            await().until(() -> !below.after.isEmpty());

            for (Recorder recorder : List.of(below, above)) {
                assertThat(recorder.states).containsExactly(RegistrationState.REGISTERED);
                assertThat(recorder.before).hasSize(1);
                assertThat(recorder.after).hasSize(1);
            }
        }
        await().until(() -> listed("orders").isEmpty());
    }

    @Test
    void aParentAndItsChildThatAreBothToldThePortRegisterItOnce() {
        String port = "rollcall.ports.http.port=" + Ports.reserve();
        try (ConfigurableApplicationContext parent = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .properties(OTHERS_OFF)
                .properties("spring.application.name=orders", registry, port)
                .run()) {
            awaitListed("orders");
            ConfigurableApplicationContext child = new SpringApplicationBuilder(Application.class, OwnRecorder.class)
                    .parent(parent)
                    .properties(OTHERS_OFF)
                    .web(WebApplicationType.NONE)
                    .run();
            Recorder recorder = child.getBean(OwnRecorder.class);
            String id = listed("orders").get(0).id();

            assertThat(recorder.before).isEmpty();
            child.close();

            assertThat(listed("orders")).extracting(Instance::id).containsExactly(id);
            assertThat(parent.getBean(RollcallServiceRegistry.class)).isNotNull();
        }
        await().until(() -> listed("orders").isEmpty());
    }

    @Test
    void anotherWebServerInAContextBelowIsNotTakenForTheApplicationsOwn() {
        try (ConfigurableApplicationContext context =
                application.with(Other.class).start()) {
            assertThat(awaitListed("orders").port())
                    .isEqualTo(port(context))
                    .isNotEqualTo(context.getBean(Other.class).port);
        }
    }

    @Test
    void theContextOfTheManagementEndpointsRegistersNothing() {
        try (ConfigurableApplicationContext context = application
                .with("management.server.port=0", "management.server.address=127.0.0.1")
                .start()) {
            assertThat(awaitListed("orders").port()).isEqualTo(port(context));
            assertThat(context.getBean(Recorder.class).before).hasSize(1);
        }
        assertThat(listed("orders")).isEmpty();
    }

    @Test
    void aBootstrapContextRegistersNothing() {
        System.setProperty("spring.cloud.bootstrap.enabled", "true");
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(context.getParent()).isNotNull();
            assertThat(awaitListed("orders").port()).isEqualTo(port(context));
            await().until(() -> !context.getBean(Recorder.class).after.isEmpty());
            assertThat(context.getBean(Recorder.class).states).containsExactly(RegistrationState.REGISTERED);
        } finally {
            System.clearProperty("spring.cloud.bootstrap.enabled");
        }
        assertThat(listed("orders")).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    /** Records by listeners that name their event, and so are called whatever package they are in. */
    @Configuration(value = "recorder", proxyBeanMethods = false)
    static class Recorder {

        final List<RegistrationState> states = new CopyOnWriteArrayList<>();

        final List<InstancePreRegisteredEvent> before = new CopyOnWriteArrayList<>();

        final List<InstanceRegisteredEvent<?>> after = new CopyOnWriteArrayList<>();

        @Bean
        ApplicationListener<RegistrationStateChangedEvent> statesListener() {
            return new ApplicationListener<>() {
                @Override
                public void onApplicationEvent(RegistrationStateChangedEvent event) {
                    states.add(event.getStatus().state());
                }
            };
        }

        @Bean
        ApplicationListener<InstancePreRegisteredEvent> beforeListener() {
            return new ApplicationListener<>() {
                @Override
                public void onApplicationEvent(InstancePreRegisteredEvent event) {
                    before.add(event);
                }
            };
        }

        @Bean
        ApplicationListener<InstanceRegisteredEvent<?>> afterListener() {
            return new ApplicationListener<>() {
                @Override
                public void onApplicationEvent(InstanceRegisteredEvent<?> event) {
                    after.add(event);
                }
            };
        }
    }

    /** The same in a child context. */
    @Configuration(proxyBeanMethods = false)
    static class OwnRecorder extends Recorder {}

    /** Opens another web server below, before the application is ready. */
    @Configuration(proxyBeanMethods = false)
    static class Other implements ApplicationListener<ApplicationStartedEvent> {

        private int port;

        private final ApplicationContext context;

        Other(ApplicationContext context) {
            this.context = context;
        }

        @Override
        public void onApplicationEvent(ApplicationStartedEvent event) {
            AnnotationConfigServletWebServerApplicationContext below =
                    new AnnotationConfigServletWebServerApplicationContext();
            below.setParent(context);
            below.registerBean(TomcatServletWebServerFactory.class, () -> new TomcatServletWebServerFactory(0));
            below.refresh();
            port = below.getWebServer().getPort();
            event.getApplicationContext().addApplicationListener((ApplicationListener<ContextClosedEvent>) closed -> {
                if (closed.getApplicationContext() == context) {
                    below.close();
                }
            });
        }
    }
}
