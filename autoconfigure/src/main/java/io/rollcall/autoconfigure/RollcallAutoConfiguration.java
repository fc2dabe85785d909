package io.rollcall.autoconfigure;

import io.rollcall.ConditionalOnRollcallEnabled;
import io.rollcall.RollcallProperties;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryFactory;
import io.rollcall.registry.Resolver;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Events;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;

/** The registries, and what registration and discovery share. Every context has its own, so that none outlives what it belongs to. */
@AutoConfiguration
@ConditionalOnRollcallEnabled
@EnableConfigurationProperties(RollcallProperties.class)
public final class RollcallAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    Registries rollcallRegistries(
            RollcallProperties properties,
            ObjectProvider<RegistryFactory> factories,
            ObjectProvider<Registry> registries,
            ApplicationContext context) {
        ClassLoader classLoader = context.getClassLoader();
        RegistryBuilder builder = new RegistryBuilder(
                factories.orderedStream().toList(),
                classLoader != null ? classLoader : RollcallAutoConfiguration.class.getClassLoader());
        builder.addConfigured(properties.getRegistries());
        registries.orderedStream().forEach(builder::add);
        Map<String, Registrar> registrars = context.getBeansOfType(Registrar.class);
        Map<String, Resolver> resolvers = context.getBeansOfType(Resolver.class);
        builder.addBeans(registrars, resolvers);
        return builder.build(properties.getDiscovery().getOrder());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    Alarms rollcallAlarms() {
        return new Alarms();
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    Events rollcallEvents(ApplicationContext context) {
        return new Events(context);
    }
}
