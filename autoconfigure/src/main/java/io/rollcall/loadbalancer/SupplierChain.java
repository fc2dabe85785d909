package io.rollcall.loadbalancer;

import java.util.Locale;
import java.util.Set;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplierBuilder;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Spring Cloud LoadBalancer's {@code spring.cloud.loadbalancer.configurations}, of which those are built here that filter the
 * live list. Health checks, API versions and Spring Cloud's own weights stay as Spring Cloud builds them.
 */
final class SupplierChain {

    private static final String DEFAULT = "default";

    private static final Set<String> BUILT_HERE =
            Set.of(DEFAULT, "zone-preference", "request-based-sticky-session", "same-instance-preference", "subset");

    private SupplierChain() {}

    static ServiceInstanceListSupplier build(ServiceInstanceListSupplier base, ConfigurableApplicationContext context) {
        ServiceInstanceListSupplierBuilder chain =
                ServiceInstanceListSupplier.builder().withBase(base);
        switch (configured(context.getEnvironment())) {
            case "zone-preference" -> chain.withZonePreference();
            case "request-based-sticky-session" -> chain.withRequestBasedStickySession();
            case "same-instance-preference" -> chain.withSameInstancePreference();
            case "subset" -> chain.withSubset();
            default -> {
                // the base alone
            }
        }
        return chain.build(context);
    }

    private static String configured(Environment environment) {
        String client = environment.getProperty("spring.cloud.loadbalancer.clients."
                + LoadBalancerClientFactory.getName(environment) + ".configurations");
        String configured =
                client != null ? client : environment.getProperty("spring.cloud.loadbalancer.configurations", DEFAULT);
        return configured.toLowerCase(Locale.ROOT);
    }

    /** Whether the chain of a service is one that is built here. */
    static final class BuiltHere implements Condition {

        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return BUILT_HERE.contains(configured(context.getEnvironment()));
        }
    }
}
