package io.rollcall.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.boot.info.BuildProperties;
import org.springframework.cloud.client.discovery.event.InstancePreRegisteredEvent;
import org.springframework.cloud.client.discovery.event.InstanceRegisteredEvent;
import org.springframework.cloud.client.serviceregistry.AutoServiceRegistration;
import org.springframework.cloud.client.serviceregistry.Registration;
import org.springframework.cloud.client.serviceregistry.ServiceRegistry;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

class RegistrationLifecycleTests {

    private final String store = TestApplication.unique("memory:");

    private final TestApplication application =
            TestApplication.named("orders").with("rollcall.registries.one.url=" + store);

    /** Sees what the application writes, from outside. */
    private final ConfigurableApplicationContext observer = TestApplication.named("observer")
            .type(WebApplicationType.NONE)
            .with("rollcall.registries.one.url=" + store, "rollcall.registration.enabled=false")
            .start();

    @AfterEach
    void close() {
        observer.close();
    }

    private List<Instance> listed(String service) {
        Registry registry = observer.getBean(Registries.class).named("one").orElseThrow();
        try {
            return registry.resolver().lookup(service).instances();
        } catch (Exception ex) {
            throw new IllegalStateException(ex);
        }
    }

    private Instance awaitListed(String service) {
        await().until(() -> listed(service).size() == 1);
        return listed(service).get(0);
    }

    private static int port(ConfigurableApplicationContext context, String name) {
        return context.getEnvironment().getRequiredProperty("local." + name + ".port", Integer.class);
    }

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void registersTheBoundPortOfEitherKindOfWebServerAndLeaves(WebApplicationType type) {
        try (ConfigurableApplicationContext context = application.type(type).start()) {
            Instance instance = awaitListed("orders");

            assertThat(instance.port()).isEqualTo(port(context, "server"));
            assertThat(instance.host()).isEqualTo("127.0.0.1");
            assertThat(instance.id()).isEqualTo("orders-127.0.0.1-" + instance.port());
            assertThat(instance.secure()).isFalse();
        }
        assertThat(listed("orders")).isEmpty();
    }

    @Test
    void tellsEverythingThatIsConfigured() {
        application.with(
                "rollcall.instance.env=production",
                "rollcall.instance.region=eu",
                "rollcall.instance.zone=eu-1",
                "rollcall.instance.weight=7",
                "rollcall.instance.deployment=blue",
                "rollcall.instance.id=chosen",
                "rollcall.instance.metadata.a.b=c");
        try (ConfigurableApplicationContext context =
                application.with(BuildInfo.class).start()) {
            assertThat(context.isActive()).isTrue();
            Instance instance = awaitListed("orders");

            assertThat(instance.id()).isEqualTo("chosen");
            assertThat(instance.metadata())
                    .containsEntry("env", "production")
                    .containsEntry("region", "eu")
                    .containsEntry("zone", "eu-1")
                    .containsEntry("scheme", "http")
                    .containsEntry("weight", "7")
                    .containsEntry("deployment", "blue")
                    .containsEntry("appVersion", "1.2.3")
                    .containsEntry("buildTime", "2026-01-02T03:04:05Z")
                    .containsEntry("secure", "false")
                    .containsEntry("a.b", "c")
                    .containsKeys("frameVersion", "startTime");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class BuildInfo {

        @Bean
        BuildProperties buildProperties() {
            java.util.Properties properties = new java.util.Properties();
            properties.put("version", "1.2.3");
            properties.put("time", "2026-01-02T03:04:05Z");
            return new BuildProperties(properties);
        }
    }

    @Test
    void aSeparateManagementPortIsRegisteredOnlyIfAskedForAndUnderItsOwnName() {
        application.with("management.server.port=0", "management.server.address=127.0.0.1");
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(awaitListed("orders").port())
                    .isEqualTo(port(context, "server"))
                    .isNotEqualTo(port(context, "management"));
            assertThat(listed("orders-management")).isEmpty();
        }
        application.with("rollcall.ports.management.enabled=true");
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(awaitListed("orders-management").port()).isEqualTo(port(context, "management"));
            assertThat(awaitListed("orders").port()).isEqualTo(port(context, "server"));
        }
        assertThat(listed("orders-management")).isEmpty();
    }

    @Test
    void managementEndpointsWithoutAPortOfTheirOwnAreNotRegistered() {
        application.with("rollcall.ports.management.enabled=true");
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(context.isActive()).isTrue();
            awaitListed("orders");
            assertThat(listed("orders-management")).isEmpty();
        }
    }

    @Test
    void everyPortHasItsOwnSettings() {
        application.with(
                "rollcall.registries.two.url=" + TestApplication.unique("memory:"),
                "rollcall.ports.http.registries=two",
                "rollcall.ports.grpc.port=9090",
                "rollcall.ports.grpc.service-name=orders-grpc",
                "rollcall.ports.grpc.scheme=grpc",
                "rollcall.ports.grpc.registries=one");
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(context.isActive()).isTrue();
            Instance grpc = awaitListed("orders-grpc");
            assertThat(grpc.port()).isEqualTo(9090);
            assertThat(grpc.metadata()).containsEntry("scheme", "grpc");
            RollcallRegistration http = context.getBean(PortRegistrations.class).primary();
            RollcallServiceRegistry registry = context.getBean(RollcallServiceRegistry.class);
            await().until(() -> registry.statuses(http).values().stream()
                    .allMatch(status -> status.state() == RegistrationState.REGISTERED));
            assertThat(registry.statuses(http)).containsOnlyKeys("two");
            assertThat(listed("orders")).isEmpty();
        }
    }

    @Test
    void withoutAWebServerAnExplicitPortIsRegistered() {
        application.type(WebApplicationType.NONE);
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(context.isActive()).isTrue();
            assertThat(listed("orders")).isEmpty();
        }
        try (ConfigurableApplicationContext context =
                application.with("rollcall.ports.http.port=9999").start()) {
            assertThat(context.isActive()).isTrue();
            assertThat(awaitListed("orders").port()).isEqualTo(9999);
        }
    }

    @Test
    void isNotListedBeforeItIsReady() {
        List<Integer> seen = new CopyOnWriteArrayList<>();
        Runners.next = () -> seen.add(listed("orders").size());

        try (ConfigurableApplicationContext context =
                application.with(Runners.class).start()) {
            assertThat(context.isActive()).isTrue();
            awaitListed("orders");
        }

        assertThat(seen).containsExactly(0);
    }

    @Test
    void isListedWhenThePortIsBoundIfAskedTo() {
        List<Integer> seen = new CopyOnWriteArrayList<>();
        Runners.next = () -> seen.add(awaitListed("orders").port());

        try (ConfigurableApplicationContext context = application
                .with("rollcall.registration.when=started")
                .with(Runners.class)
                .start()) {
            assertThat(seen).containsExactly(port(context, "server"));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Runners {

        private static Runnable next;

        @Bean
        ApplicationRunner runner() {
            return arguments -> next.run();
        }
    }

    @Test
    void followsReadinessBothWaysAndTheLastStateWins() {
        try (ConfigurableApplicationContext context = application.start()) {
            awaitListed("orders");
            for (int i = 0; i < 50; i++) {
                AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
                AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            }
            await().during(Duration.ofMillis(100)).until(() -> listed("orders").size() == 1);

            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            await().until(() -> listed("orders").isEmpty());

            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            awaitListed("orders");
        }
    }

    @Test
    void doesNotFollowTheReadinessOfOtherContexts() {
        try (ConfigurableApplicationContext context = application.start();
                GenericApplicationContext child = new GenericApplicationContext(context)) {
            awaitListed("orders");
            child.refresh();

            AvailabilityChangeEvent.publish(child, ReadinessState.REFUSING_TRAFFIC);

            await().during(Duration.ofMillis(200)).until(() -> listed("orders").size() == 1);
        }
    }

    @Test
    void staysOfflineUntilAskedForWhateverReadinessSays() {
        try (ConfigurableApplicationContext context = application.start()) {
            awaitListed("orders");
            Registration registration = context.getBean(Registration.class);
            @SuppressWarnings("unchecked")
            ServiceRegistry<Registration> registry = context.getBean(ServiceRegistry.class);

            registry.setStatus(registration, "OUT_OF_SERVICE");
            await().until(() -> listed("orders").isEmpty());
            assertThat((String) registry.getStatus(registration)).isEqualTo("OUT_OF_SERVICE");
            AvailabilityChangeEvent.publish(context, ReadinessState.REFUSING_TRAFFIC);
            AvailabilityChangeEvent.publish(context, ReadinessState.ACCEPTING_TRAFFIC);
            await().during(Duration.ofMillis(200)).until(() -> listed("orders").isEmpty());

            registry.setStatus(registration, "UP");
            awaitListed("orders");
            assertThatExceptionOfType(IllegalArgumentException.class)
                    .isThrownBy(() -> registry.setStatus(registration, "SIDEWAYS"));
        }
    }

    @Test
    void leavesBeforeTheWebServerRefusesAndServesWhileOthersHear() {
        ConfigurableApplicationContext context =
                application.with("rollcall.registration.drain-wait=700ms").start();
        awaitListed("orders");
        int port = port(context, "server");
        AtomicInteger connectionsAfterLeaving = new AtomicInteger();
        AtomicInteger refusedWhileListed = new AtomicInteger();
        Thread stopping = new Thread(context::close);

        stopping.start();
        while (stopping.isAlive()) {
            boolean listedBefore = !listed("orders").isEmpty();
            try (Socket socket = new Socket("127.0.0.1", port)) {
                if (socket.isConnected() && !listedBefore) {
                    connectionsAfterLeaving.incrementAndGet();
                }
            } catch (IOException ex) {
                if (listedBefore) {
                    refusedWhileListed.incrementAndGet();
                }
            }
        }

        assertThat(refusedWhileListed).hasValue(0);
        assertThat(connectionsAfterLeaving.get()).isPositive();
        assertThat(listed("orders")).isEmpty();
    }

    @Test
    void publishesEachEventOnceWhateverTheNumberOfRegistries() {
        application.with(
                "rollcall.registries.two.url=" + TestApplication.unique("memory:"),
                "rollcall.registries.three.url=" + TestApplication.unique("memory:"));
        try (ConfigurableApplicationContext context =
                application.with(Recorder.class).start()) {
            Recorder recorder = context.getBean(Recorder.class);
            RollcallRegistration registration = context.getBean(RollcallRegistration.class);
            RollcallServiceRegistry registry = context.getBean(RollcallServiceRegistry.class);
            await().until(() -> registry.statuses(registration).values().stream()
                            .filter(status -> status.state() == RegistrationState.REGISTERED)
                            .count()
                    == 3);
            await().until(() -> recorder.states.size() == 3);
            await().until(() -> !recorder.registered.isEmpty());

            assertThat(recorder.before)
                    .singleElement()
                    .satisfies(event -> assertThat(event.getRegistration()).isSameAs(registration));
            assertThat(recorder.registered).hasSize(1);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Recorder {

        private final List<InstancePreRegisteredEvent> before = new CopyOnWriteArrayList<>();

        private final List<InstanceRegisteredEvent<?>> registered = new CopyOnWriteArrayList<>();

        private final List<RegistrationStateChangedEvent> states = new CopyOnWriteArrayList<>();

        @Bean
        ApplicationListener<InstancePreRegisteredEvent> beforeListener() {
            return before::add;
        }

        @Bean
        ApplicationListener<InstanceRegisteredEvent<?>> registeredListener() {
            return new ApplicationListener<>() {
                @Override
                public void onApplicationEvent(InstanceRegisteredEvent<?> event) {
                    registered.add(event);
                }
            };
        }

        @Bean
        ApplicationListener<RegistrationStateChangedEvent> stateListener() {
            return states::add;
        }
    }

    @Test
    void startsAndStopsWithARegistryThatIsNotThere() {
        application.with(
                "rollcall.registries.gone.url=zookeeper://127.0.0.1:1", "rollcall.registries.gone.timeout=300ms");
        try (ConfigurableApplicationContext context = application.start()) {
            awaitListed("orders");
            RollcallServiceRegistry registry = context.getBean(RollcallServiceRegistry.class);
            RollcallRegistration registration = context.getBean(RollcallRegistration.class);
            await().until(() -> registry.statuses(registration).get("gone").state() == RegistrationState.RETRYING);
        }
        assertThat(listed("orders")).isEmpty();
    }

    @Test
    void failsTheStartIfItIsToldToAndARequiredRegistrationDoesNotSucceed() {
        application.with(
                "rollcall.registries.one.interval=100ms",
                "rollcall.registries.gone.url=zookeeper://127.0.0.1:1",
                "rollcall.registries.gone.interval=100ms",
                "rollcall.registries.gone.timeout=100ms",
                "rollcall.registration.fail-fast=true");

        assertThatExceptionOfType(RegistrationFailedException.class)
                .isThrownBy(application::start)
                .withMessageContaining("gone is RETRYING");
        assertThat(listed("orders")).isEmpty();

        try (ConfigurableApplicationContext context =
                application.with("rollcall.registration.required=one").start()) {
            assertThat(context.isActive()).isTrue();
        }
        try (ConfigurableApplicationContext context =
                application.with("rollcall.registration.required=any").start()) {
            assertThat(context.isActive()).isTrue();
        }
    }

    @Test
    void isWhatSpringCloudFindsByTypeAndCanBeSwitchedOff() {
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(context.getBean(AutoServiceRegistration.class)).isInstanceOf(RegistrationLifecycle.class);
            assertThat(context.getBean(Registration.class)).isInstanceOf(RollcallRegistration.class);
            assertThat(context.getBean(ServiceRegistry.class)).isInstanceOf(RollcallServiceRegistry.class);
        }
        try (ConfigurableApplicationContext context =
                application.with("rollcall.registration.enabled=false").start()) {
            assertThat(context.getBeansOfType(RollcallServiceRegistry.class)).isEmpty();
            assertThat(listed("orders")).isEmpty();
        }
    }

    @Test
    void leavesAndComesBackWithItsContext() {
        try (ConfigurableApplicationContext context = application.start()) {
            awaitListed("orders");

            context.stop();
            assertThat(listed("orders")).isEmpty();

            context.start();
            awaitListed("orders");
        }
    }

    @Test
    void leavesNoThreadBehind() {
        // The observer has threads of the same names.
        observer.close();
        Set<Thread> before = Thread.getAllStackTraces().keySet();
        List<Thread> started = new ArrayList<>();
        try (ConfigurableApplicationContext context = application.start()) {
            RollcallServiceRegistry registry = context.getBean(RollcallServiceRegistry.class);
            RollcallRegistration registration = context.getBean(RollcallRegistration.class);
            await().until(() -> registry.statuses(registration).values().stream()
                    .allMatch(status -> status.state() == RegistrationState.REGISTERED));
            started.addAll(Thread.getAllStackTraces().keySet());
            started.removeAll(before);
            started.removeIf(thread -> !thread.getName().startsWith("rollcall-"));
            assertThat(started).isNotEmpty().allMatch(Thread::isDaemon);
        }
        for (Thread thread : started) {
            await().until(() -> !thread.isAlive());
        }
    }
}
