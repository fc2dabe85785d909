package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.loadbalancer.Provider.Behaviour;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublishers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;

@Tag("servlet-gateway")
class ServletGatewayFailoverTests extends FailoverContract {

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    WebApplicationType webApplicationType() {
        return WebApplicationType.SERVLET;
    }

    @Override
    String[] properties() {
        return new String[] {
            "spring.cloud.gateway.server.webmvc.routes[0].id=svc",
            "spring.cloud.gateway.server.webmvc.routes[0].uri=lb://svc",
            "spring.cloud.gateway.server.webmvc.routes[0].predicates[0]=Path=/x",
            "spring.cloud.consul.enabled=false",
            "spring.cloud.zookeeper.enabled=false",
            "eureka.client.enabled=false",
            "rollcall.registration.enabled=false",
            // What other discovery clients list would be kept for a moment.
            "spring.autoconfigure.exclude=io.rollcall.discovery.DiscoveryAutoConfiguration"
        };
    }

    @Override
    Answer call(ConfigurableApplicationContext context, @Nullable String body) throws Exception {
        return GatewayCalls.call(context, body != null ? BodyPublishers.ofString(body) : null);
    }

    @Test
    void passesABodyOfUnknownLengthThroughOnce() throws Exception {
        provider(Behaviour.REFUSE);
        provider(Behaviour.REFUSE);
        start();
        Answer answer = GatewayCalls.call(
                context(), BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[100])));
        assertThat(answer).isEqualTo(new Answer(503, "full", "0"));
        assertThat(requests()).isEqualTo(1);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
