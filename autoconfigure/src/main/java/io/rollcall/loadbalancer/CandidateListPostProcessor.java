package io.rollcall.loadbalancer;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;

/** Keeps instances of weight 0, those set aside and those already tried out of supplier chains that users or Spring Cloud configure. */
final class CandidateListPostProcessor implements BeanPostProcessor {

    private final ObjectProvider<Outliers> outliers;

    CandidateListPostProcessor(ObjectProvider<Outliers> outliers) {
        this.outliers = outliers;
    }

    @Override
    public Object postProcessAfterInitialization(Object bean, String beanName) {
        if (bean instanceof ServiceInstanceListSupplier supplier && !CandidateListSupplier.isPartOf(supplier)) {
            return new CandidateListSupplier(supplier, outliers.getObject(), false);
        }
        return bean;
    }
}
