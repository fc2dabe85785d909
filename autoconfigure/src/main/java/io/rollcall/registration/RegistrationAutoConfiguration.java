package io.rollcall.registration;

import io.rollcall.ConditionalOnRollcallEnabled;
import io.rollcall.InvalidConfigurationException;
import io.rollcall.RollcallProperties;
import io.rollcall.autoconfigure.RollcallAutoConfiguration;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Events;
import jakarta.servlet.ServletContext;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.logging.LogFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.info.BuildProperties;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.cloud.client.serviceregistry.AutoServiceRegistrationAutoConfiguration;
import org.springframework.cloud.client.serviceregistry.ServiceRegistryAutoConfiguration;
import org.springframework.cloud.commons.util.InetUtils;
import org.springframework.cloud.commons.util.InetUtilsProperties;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** Registers the application in all registries. Its beans are primary, so that those of other starters may be there too. */
@AutoConfiguration(
        after = RollcallAutoConfiguration.class,
        before = {AutoServiceRegistrationAutoConfiguration.class, ServiceRegistryAutoConfiguration.class})
@ConditionalOnRollcallEnabled
@ConditionalOnBooleanProperty(name = "rollcall.registration.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "spring.cloud.service-registry.auto-registration.enabled", matchIfMissing = true)
public final class RegistrationAutoConfiguration {

    @Bean
    PortRegistrations rollcallPortRegistrations(
            RollcallProperties properties, Registries registries, Environment environment) {
        String name = serviceName(properties, environment);
        return PortRegistrations.of(PortDefinition.of(properties, name, registries), name);
    }

    private static String serviceName(RollcallProperties properties, Environment environment) {
        String name = StringUtils.hasText(properties.getServiceName())
                ? properties.getServiceName()
                : environment.getProperty("spring.application.name");
        if (!StringUtils.hasText(name)) {
            LogFactory.getLog(RegistrationAutoConfiguration.class)
                    .warn("Registering as 'application': set 'spring.application.name' or 'rollcall.service-name'");
            return "application";
        }
        return name.trim();
    }

    @Bean
    @Primary
    RollcallRegistration rollcallRegistration(PortRegistrations registrations) {
        return registrations.primary();
    }

    @Bean
    @Primary
    RollcallServiceRegistry rollcallServiceRegistry(
            Registries registries,
            Alarms alarms,
            Events events,
            ObjectProvider<Clock> clock,
            ObjectProvider<CallObserver> observer) {
        List<RegistrarWorker> workers = new ArrayList<>();
        for (Registry registry : registries) {
            Registrar registrar = registry.registrar();
            if (registrar != null) {
                workers.add(new RegistrarWorker(
                        registry,
                        registrar,
                        alarms,
                        clock.getIfUnique(Clock::systemUTC),
                        (instance, status) -> events.publish(
                                new RegistrationStateChangedEvent(registry, registry.name(), instance, status)),
                        observer.getIfAvailable(() -> CallObserver.NONE)));
            }
        }
        return new RollcallServiceRegistry(workers);
    }

    @Bean
    BoundPorts rollcallBoundPorts() {
        return new BoundPorts();
    }

    @Bean
    RequiredRegistrations rollcallRequiredRegistrations(RollcallProperties properties, Registries registries) {
        return RequiredRegistrations.of(properties.getRegistration(), registries);
    }

    @Bean
    Draining rollcallDraining() {
        return new Draining();
    }

    @Bean
    InstanceFactory rollcallInstanceFactory(
            ApplicationContext context,
            RollcallProperties properties,
            InetUtils inetUtils,
            InetUtilsProperties inetUtilsProperties,
            ObjectProvider<ContextPath> contextPath,
            ObjectProvider<BuildProperties> build) {
        return new InstanceFactory(
                properties.getInstance(),
                new AddressChooser(inetUtils, inetUtilsProperties, new NetworkAddresses(inetUtilsProperties)),
                context.getEnvironment(),
                contextPath.getIfAvailable(
                        () -> () -> context.getEnvironment().getProperty("spring.webflux.base-path", "")),
                build.getIfAvailable(),
                Instant.ofEpochMilli(context.getStartupDate()));
    }

    @Bean
    @Primary
    RegistrationLifecycle rollcallAutoServiceRegistration(
            ApplicationContext context,
            RollcallProperties properties,
            PortRegistrations registrations,
            RollcallServiceRegistry serviceRegistry,
            InstanceFactory instances,
            BoundPorts ports,
            Registries registries,
            RequiredRegistrations required,
            Draining draining,
            ObjectProvider<Clock> clock) {
        Duration drainWait = properties.getRegistration().getDrainWait();
        if (drainWait.isNegative()) {
            throw new InvalidConfigurationException(
                    "rollcall.registration.drain-wait",
                    drainWait.toString(),
                    "a negative time can not be waited for",
                    "Set it to how long callers may take to hear of a departure, such as '2s', or to 0.");
        }
        return new RegistrationLifecycle(
                context,
                properties.getRegistration(),
                registrations.all(),
                serviceRegistry,
                instances,
                ports,
                registries,
                required,
                draining,
                clock.getIfUnique(Clock::systemUTC));
    }

    @Bean
    InstanceRegisteredPublisher rollcallInstanceRegisteredPublisher(
            ApplicationContext context, RollcallProperties properties, Registries registries) {
        return new InstanceRegisteredPublisher(context, properties, registries);
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WebServerInitializedEvent.class)
    static class WebServerConfiguration {

        @Bean
        WebServerPortListener rollcallWebServerPortListener(ApplicationContext context, BoundPorts ports) {
            return new WebServerPortListener(context, ports);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(EnvironmentChangeEvent.class)
    static class RefreshConfiguration {

        @Bean
        InstanceRefresh rollcallInstanceRefresh(
                Environment environment,
                PortRegistrations registrations,
                RollcallServiceRegistry serviceRegistry,
                InstanceFactory instances) {
            return new InstanceRefresh(environment, registrations, serviceRegistry, instances);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ServletContext.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class ServletConfiguration {

        @Bean
        ContextPath rollcallContextPath(ObjectProvider<ServletContext> servletContext) {
            return () -> servletContext.stream()
                    .findFirst()
                    .map(ServletContext::getContextPath)
                    .orElse("");
        }
    }
}
