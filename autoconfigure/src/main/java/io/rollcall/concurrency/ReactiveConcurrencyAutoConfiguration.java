package io.rollcall.concurrency;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.webflux.autoconfigure.WebHttpHandlerBuilderCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.netty.http.server.HttpServerRequest;

/** {@link AutoConfiguration Auto-configuration} of the concurrency limit in a reactive web application. */
@AutoConfiguration(
        after = ConcurrencyAutoConfiguration.class,
        beforeName = "org.springframework.boot.webflux.autoconfigure.HttpHandlerAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebHttpHandlerBuilderCustomizer.class)
@ConditionalOnBean(Admission.class)
public final class ReactiveConcurrencyAutoConfiguration {

    @Bean
    WebHttpHandlerBuilderCustomizer rollcallConcurrencyCustomizer(
            Admission admission, Refusal refusal, ObjectProvider<ConnectionWatch> connectionWatch) {
        ConnectionWatch watch = connectionWatch.getIfAvailable(() -> ConnectionWatch.NONE);
        return builder ->
                builder.httpHandlerDecorator(handler -> new ConcurrencyHttpHandler(handler, admission, refusal, watch));
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(HttpServerRequest.class)
    static class NettyWebSockets {

        @Bean
        ConnectionWatch rollcallConnectionWatch() {
            return new NettyConnectionWatch();
        }
    }
}
