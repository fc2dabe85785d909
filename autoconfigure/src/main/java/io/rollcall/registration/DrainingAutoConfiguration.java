package io.rollcall.registration;

import jakarta.servlet.Filter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.web.server.WebFilter;
import reactor.netty.http.server.HttpServerRequest;

/** Has callers give up their connections while the application is about to stop. */
@AutoConfiguration(after = RegistrationAutoConfiguration.class)
@ConditionalOnBean(Draining.class)
public final class DrainingAutoConfiguration {

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    @ConditionalOnClass({Filter.class, FilterRegistrationBean.class})
    static class ServletConfiguration {

        @Bean
        FilterRegistrationBean<DrainingFilter> rollcallDrainingFilter(Draining draining) {
            FilterRegistrationBean<DrainingFilter> registration =
                    new FilterRegistrationBean<>(new DrainingFilter(draining));
            registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
            return registration;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    @ConditionalOnClass({WebFilter.class, HttpServerRequest.class})
    static class NettyConfiguration {

        @Bean
        DrainingWebFilter rollcallDrainingWebFilter(Draining draining) {
            return new DrainingWebFilter(draining);
        }
    }
}
