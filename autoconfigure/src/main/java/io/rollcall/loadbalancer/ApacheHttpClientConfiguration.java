package io.rollcall.loadbalancer;

import org.apache.hc.client5.http.impl.DefaultHttpRequestRetryStrategy;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.http.client.HttpComponentsClientHttpRequestFactoryBuilder;
import org.springframework.boot.http.client.autoconfigure.ClientHttpRequestFactoryBuilderCustomizer;
import org.springframework.cloud.openfeign.clientconfig.HttpClient5FeignConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/** Lets refusals through Apache's HTTP client, where Spring builds it. Customizers of the application come later and win. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(DefaultHttpRequestRetryStrategy.class)
class ApacheHttpClientConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({
        ClientHttpRequestFactoryBuilderCustomizer.class,
        HttpComponentsClientHttpRequestFactoryBuilder.class
    })
    static class OfSpringBoot {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        ClientHttpRequestFactoryBuilderCustomizer<HttpComponentsClientHttpRequestFactoryBuilder>
                rollcallHttpComponentsCustomizer() {
            return builder ->
                    builder.withHttpClientCustomizer(client -> client.setRetryStrategy(new UnrefusedRetryStrategy()));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(value = HttpClient5FeignConfiguration.class, name = "feign.hc5.ApacheHttp5Client")
    static class OfFeign {

        @Bean
        @Order(Ordered.HIGHEST_PRECEDENCE)
        HttpClient5FeignConfiguration.HttpClientBuilderCustomizer rollcallFeignHttpClientCustomizer() {
            return client -> client.setRetryStrategy(new UnrefusedRetryStrategy());
        }
    }
}
