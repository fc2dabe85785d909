package io.rollcall.registry.etcd;

import io.rollcall.registry.RegistryFactory;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;

/** Adds the {@code etcd:} registries, whether or not their client library is there: the factory tells what is missing. */
@AutoConfiguration
public final class EtcdRegistryAutoConfiguration {

    @Bean
    RegistryFactory etcdRegistryFactory(BeanFactory beanFactory) {
        return new EtcdRegistryFactory(beanFactory);
    }
}
