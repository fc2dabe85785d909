package io.rollcall.actuate;

import io.rollcall.ConditionalOnRollcallEnabled;
import io.rollcall.discovery.DiscoveryAutoConfiguration;
import io.rollcall.discovery.LiveServices;
import io.rollcall.registration.PortRegistrations;
import io.rollcall.registration.RegistrationAutoConfiguration;
import io.rollcall.registration.RequiredRegistrations;
import io.rollcall.registration.RollcallServiceRegistry;
import io.rollcall.registry.Registries;
import java.time.Clock;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.SanitizingFunction;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/** The endpoint, what keeps secrets out of others, and the health indicator, where Actuator is there. */
@AutoConfiguration(after = {RegistrationAutoConfiguration.class, DiscoveryAutoConfiguration.class})
@ConditionalOnRollcallEnabled
@ConditionalOnBean(Registries.class)
public final class RollcallActuatorAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
    static class EndpointConfiguration {

        @Bean
        @ConditionalOnAvailableEndpoint
        @ConditionalOnMissingBean
        RegistrationsEndpoint registrationsEndpoint(
                Environment environment,
                ObjectProvider<PortRegistrations> registrations,
                ObjectProvider<RollcallServiceRegistry> serviceRegistry,
                ObjectProvider<LiveServices> services,
                Registries registries,
                ObjectProvider<Clock> clock) {
            String own = environment.getProperty("rollcall.service-name");
            return new RegistrationsEndpoint(
                    StringUtils.hasText(own) ? own : environment.getProperty("spring.application.name", "application"),
                    registrations.getIfAvailable(),
                    serviceRegistry.getIfAvailable(),
                    services.getIfAvailable(),
                    registries,
                    clock.getIfUnique(Clock::systemUTC));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(SanitizingFunction.class)
    static class SecretsConfiguration {

        @Bean
        RegistrySecrets rollcallRegistrySecrets() {
            return new RegistrySecrets();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
    @ConditionalOnBean(RollcallServiceRegistry.class)
    static class HealthConfiguration {

        @Bean
        @ConditionalOnEnabledHealthIndicator("rollcall")
        @ConditionalOnMissingBean(name = "rollcallHealthIndicator")
        RollcallHealthIndicator rollcallHealthIndicator(
                PortRegistrations registrations,
                RollcallServiceRegistry serviceRegistry,
                RequiredRegistrations required) {
            return new RollcallHealthIndicator(registrations, serviceRegistry, required);
        }
    }
}
