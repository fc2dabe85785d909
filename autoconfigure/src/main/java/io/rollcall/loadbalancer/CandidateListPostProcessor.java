package io.rollcall.loadbalancer;

import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;

/** Keeps instances of weight 0 and those already tried out of supplier chains that users or Spring Cloud configure. */
final class CandidateListPostProcessor implements BeanPostProcessor {

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ServiceInstanceListSupplier supplier && !CandidateListSupplier.isPartOf(supplier)) {
            return new CandidateListSupplier(supplier);
        }
        return bean;
    }
}
