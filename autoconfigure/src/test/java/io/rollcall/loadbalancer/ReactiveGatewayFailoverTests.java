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

@Tag("reactive-gateway")
class ReactiveGatewayFailoverTests extends FailoverContract {

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    WebApplicationType webApplicationType() {
        return WebApplicationType.REACTIVE;
    }

    @Override
    String[] properties() {
        return new String[] {
            "spring.cloud.gateway.server.webflux.routes[0].id=svc",
            "spring.cloud.gateway.server.webflux.routes[0].uri=lb://svc",
            "spring.cloud.gateway.server.webflux.routes[0].predicates[0]=Path=/x",
            "spring.cloud.gateway.server.webflux.routes[0].filters[0]=AddResponseHeader=X-Filter, once",
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
        Provider one = provider(Behaviour.REFUSE);
        provider(Behaviour.REFUSE);
        start();
        Answer answer = GatewayCalls.call(
                context(), BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[100])));
        assertThat(answer).isEqualTo(new Answer(503, "full", "0"));
        assertThat(requests()).isEqualTo(1);
        one.behave(Behaviour.SERVE);
        assertThat(call("body").status()).isEqualTo(200);
    }

    @Test
    void sendsABodyOfUnknownLengthToAnotherInstanceIfTheFirstIsDown() throws Exception {
        provider(Behaviour.SERVE);
        provider(Behaviour.SERVE).close();
        start();
        for (int i = 0; i < 4; i++) {
            Answer answer = GatewayCalls.call(
                    context(), BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("stream".getBytes())));
            assertThat(answer).isEqualTo(new Answer(200, "POST stream", null));
        }
    }

    @Test
    void aWebSocketIsNoProofThatAnInstanceServesAgain() throws Exception {
        provider(Behaviour.SERVE).close();
        start();
        assertFails(null);
        OutlierDetection outliers = context().getBean(OutlierDetection.class);
        assertThat(outliers.count()).isEqualTo(1);
        GatewayCalls.webSocket(context());
        assertThat(context().getBean(InFlight.class)).hasToString("{}");
        assertThat(outliers.count()).isEqualTo(1);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}
}
