package io.rollcall.concurrency;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.ServletRequestListener;
import java.util.EnumSet;
import org.apache.tomcat.websocket.server.WsHttpUpgradeHandler;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.annotation.RegisterReflection;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnThreading;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.thread.Threading;
import org.springframework.boot.tomcat.autoconfigure.TomcatServerProperties;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.web.servlet.ServletListenerRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;

/** {@link AutoConfiguration Auto-configuration} of the concurrency limit's filter in a servlet web application. */
@AutoConfiguration(
        after = ConcurrencyAutoConfiguration.class,
        afterName = "org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(ServletRequestListener.class)
@ConditionalOnBean(Admission.class)
public final class ServletConcurrencyAutoConfiguration {

    @Bean
    FilterRegistrationBean<ConcurrencyFilter> rollcallConcurrencyFilter(
            Admission admission, Refusal refusal, ObjectProvider<UpgradeWatch> upgradeWatch) {
        UpgradeWatch watch = upgradeWatch.getIfAvailable(() -> UpgradeWatch.NONE);
        FilterRegistrationBean<ConcurrencyFilter> registration =
                new FilterRegistrationBean<>(new ConcurrencyFilter(admission, refusal, watch));
        registration.setDispatcherTypes(EnumSet.of(DispatcherType.REQUEST));
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }

    @Bean
    ServletListenerRegistrationBean<RequestEnd> rollcallRequestEnd() {
        ServletListenerRegistrationBean<RequestEnd> registration =
                new ServletListenerRegistrationBean<>(new RequestEnd());
        // Registered last it is the first to hear of a request's end.
        registration.setOrder(Ordered.LOWEST_PRECEDENCE);
        return registration;
    }

    /** Virtual threads are as many as there are requests. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(TomcatServerProperties.class)
    @ConditionalOnBean(TomcatServerProperties.class)
    @ConditionalOnThreading(Threading.PLATFORM)
    static class TomcatThreads {

        @Bean
        RequestThreads rollcallRequestThreads(TomcatServerProperties properties) {
            return new RequestThreads(properties.getThreads().getMax(), "server.tomcat.threads.max");
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(WsHttpUpgradeHandler.class)
    @RegisterReflection(
            classes = TomcatUpgradeHandler.class,
            memberCategories = MemberCategory.INVOKE_PUBLIC_CONSTRUCTORS)
    static class TomcatWebSockets {

        @Bean
        UpgradeWatch rollcallUpgradeWatch() {
            return TomcatUpgradeRequest::new;
        }
    }
}
