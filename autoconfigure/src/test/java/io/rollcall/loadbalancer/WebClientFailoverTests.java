package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.loadbalancer.Provider.Behaviour;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.HttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.reactive.ReactiveHttpClientAutoConfiguration;
import org.springframework.boot.http.client.autoconfigure.service.HttpServiceClientPropertiesAutoConfiguration;
import org.springframework.boot.webclient.autoconfigure.WebClientAutoConfiguration;
import org.springframework.boot.webclient.autoconfigure.service.ReactiveHttpServiceClientAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.LoadBalanced;
import org.springframework.cloud.client.loadbalancer.reactive.LoadBalancerBeanPostProcessorAutoConfiguration;
import org.springframework.cloud.client.loadbalancer.reactive.ReactorLoadBalancerClientAutoConfiguration;
import org.springframework.cloud.loadbalancer.config.LoadBalancerAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.ReactiveHttpOutputMessage;
import org.springframework.http.client.reactive.ClientHttpConnector;
import org.springframework.http.client.reactive.JdkClientHttpConnector;
import org.springframework.http.client.reactive.ReactorClientHttpConnector;
import org.springframework.util.StringUtils;
import org.springframework.web.reactive.function.BodyInserters;
import org.springframework.web.reactive.function.client.WebClient;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.netty.http.client.HttpClient;

class WebClientFailoverTests extends FailoverContract {

    @Override
    Class<?> application() {
        return Application.class;
    }

    @Override
    Answer call(ConfigurableApplicationContext context, @Nullable String body) {
        return body == null
                ? exchange(client().get().uri("/x"))
                : exchange(client().post().uri("/x").bodyValue(body));
    }

    @Test
    void asksTheSourceOfABodyOnce() {
        provider(Behaviour.SERVE);
        provider(Behaviour.REFUSE);
        start();
        for (int i = 0; i < 4; i++) {
            AtomicInteger asked = new AtomicInteger();
            Mono<String> once = Mono.fromCallable(() -> "number " + asked.incrementAndGet());
            assertThat(exchange(client().post().uri("/x").body(once, String.class)))
                    .isEqualTo(new Answer(200, "POST number 1", null));
        }
    }

    @Test
    void repeatsForms() {
        provider(Behaviour.SERVE);
        provider(Behaviour.REFUSE);
        start();
        for (int i = 0; i < 4; i++) {
            assertThat(exchange(client().post().uri("/x").body(BodyInserters.fromFormData("a", "b"))))
                    .isEqualTo(new Answer(200, "POST a=b", null));
        }
    }

    @Test
    void handsTheRefusalThroughIfTheBodyIsTooLargeToKeep() {
        provider(Behaviour.REFUSE);
        provider(Behaviour.REFUSE);
        start("rollcall.load-balancer.retry.max-body-size=4B");
        assertThat(call(context(), "12345")).isEqualTo(new Answer(503, "full", "0"));
        assertThat(requests()).isEqualTo(1);
        assertThat(call(context(), "1234")).isEqualTo(new Answer(503, "full", "0"));
        assertThat(requests()).isEqualTo(3);
    }

    @Test
    void neverSendsAStreamThatGivesItsElementsOnceTwice() {
        provider(Behaviour.REFUSE);
        provider(Behaviour.SERVE);
        start("rollcall.load-balancer.retry.max-body-size=4B");
        for (int i = 0; i < 4; i++) {
            Flux<String> once = Flux.fromStream(Stream.of("123", "456"));
            assertThat(exchange(client().post().uri("/x").body(once, String.class)))
                    .isIn(new Answer(200, "POST 123456", null), new Answer(503, "full", "0"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"3", "1"})
    void sendsAFlushedStreamOnceMoreToWhereItIsRedirected(String attempts) {
        provider(Behaviour.REDIRECT);
        start("rollcall.load-balancer.retry.max-attempts=" + attempts);
        WebClient client =
                client(new ReactorClientHttpConnector(HttpClient.create().followRedirect(true)));
        assertThat(exchange(client.post().uri("/x").body((request, context) -> flushed(request, "123", "456"))))
                .isEqualTo(new Answer(200, "POST 123456", null));
    }

    private static Mono<Void> flushed(ReactiveHttpOutputMessage request, String... pieces) {
        return request.writeAndFlushWith(Flux.fromArray(pieces)
                .map(piece -> Mono.fromSupplier(() -> request.bufferFactory().wrap(piece.getBytes()))));
    }

    @Test
    void movesOnWithABodyThatTheConnectorDidNotAskForYet() {
        provider(Behaviour.SERVE);
        provider(Behaviour.SERVE).close();
        start();
        WebClient client = client(new JdkClientHttpConnector());
        for (int i = 0; i < 2; i++) {
            Flux<String> stream = Flux.fromStream(Stream.of("123", "456"));
            assertThat(exchange(client.post().uri("/x").body(stream, String.class)))
                    .isEqualTo(new Answer(200, "POST 123456", null));
        }
    }

    @Test
    void leavesARefusalToSpringCloudsRetryIfThatIsOn() {
        for (int i = 0; i < 4; i++) {
            provider(Behaviour.REFUSE);
        }
        String[] retry = {
            "spring.cloud.loadbalancer.retry.enabled=true", "spring.cloud.loadbalancer.retry.retryable-status-codes=503"
        };
        start(retry);
        assertThat(call(context(), null).status()).isEqualTo(503);
        int withRollcall = requests();
        context().close();
        start(StringUtils.addStringToArray(retry, "rollcall.enabled=false"));
        assertThat(call(context(), null).status()).isEqualTo(503);
        assertThat(requests() - withRollcall).isEqualTo(withRollcall);
    }

    @Test
    void servesBurstsWhileOneOfTwoRefuses() {
        Provider good = provider(Behaviour.SERVE);
        provider(Behaviour.REFUSE);
        start();
        List<Answer> answers = Flux.range(0, 400)
                .flatMap(
                        i -> Mono.fromCallable(() -> call(context(), "body")).subscribeOn(Schedulers.boundedElastic()),
                        100)
                .collectList()
                .block();
        assertThat(answers).hasSize(400).allMatch(new Answer(200, "POST body", null)::equals);
        assertThat(good.requests()).isEqualTo(400);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesNoCountOfRequestsInFlightWhenTheCallerGivesUp(boolean springCloudsRetry) throws Exception {
        try (java.net.ServerSocket silent =
                new java.net.ServerSocket(0, 10, java.net.InetAddress.getLoopbackAddress())) {
            live(silent.getLocalPort());
            start("spring.cloud.loadbalancer.retry.enabled=" + springCloudsRetry);
            silent.setSoTimeout(20_000);
            Disposable call =
                    client().get().uri("/x").retrieve().bodyToMono(String.class).subscribe();
            try (java.net.Socket accepted = silent.accept()) {
                accepted.getInputStream().read();
                call.dispose();
            }
            assertThat(context().getBean(InFlight.class)).hasToString("{}");
        }
    }

    private WebClient client() {
        return context().getBean(WebClient.Builder.class).baseUrl("http://svc").build();
    }

    private WebClient client(ClientHttpConnector connector) {
        return context()
                .getBean(WebClient.Builder.class)
                .clone()
                .clientConnector(connector)
                .baseUrl("http://svc")
                .build();
    }

    private static Answer exchange(WebClient.RequestHeadersSpec<?> request) {
        return request.exchangeToMono(response -> response.bodyToMono(String.class)
                        .map(text -> new Answer(
                                response.statusCode().value(),
                                text,
                                response.headers().asHttpHeaders().getFirst("Retry-After"))))
                .block();
    }

    @ImportAutoConfiguration({
        RollcallLoadBalancerAutoConfiguration.class,
        LoadBalancerAutoConfiguration.class,
        ReactorLoadBalancerClientAutoConfiguration.class,
        LoadBalancerBeanPostProcessorAutoConfiguration.class,
        HttpClientAutoConfiguration.class,
        ReactiveHttpClientAutoConfiguration.class,
        WebClientAutoConfiguration.class,
        HttpServiceClientPropertiesAutoConfiguration.class,
        ReactiveHttpServiceClientAutoConfiguration.class
    })
    @Retention(RetentionPolicy.RUNTIME)
    @interface ReactiveClients {}

    @Configuration(proxyBeanMethods = false)
    @ReactiveClients
    static class Application {

        @Bean
        @LoadBalanced
        WebClient.Builder builder() {
            return WebClient.builder();
        }
    }
}
