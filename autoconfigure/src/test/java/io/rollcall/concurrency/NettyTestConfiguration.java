package io.rollcall.concurrency;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.webflux.error.ErrorWebExceptionHandler;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.ServerSentEvent;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.reactive.HandlerMapping;
import org.springframework.web.reactive.handler.SimpleUrlHandlerMapping;
import org.springframework.web.reactive.socket.WebSocketHandler;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** One endpoint for each way in which a reactive request can go on and end. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class NettyTestConfiguration {

    @Bean
    Held held() {
        return new Held();
    }

    @Bean
    WebFilter throwingFilter() {
        return (exchange, chain) -> {
            String what = exchange.getRequest().getHeaders().getFirst("X-Throw");
            if (what != null) {
                throwIt(what);
            }
            return chain.filter(exchange);
        };
    }

    private static void throwIt(String what) {
        switch (what) {
            case "runtime" -> throw new IllegalStateException("thrown by a test");
            case "assertion" -> throw new AssertionError("thrown by a test");
            case "linkage" -> throw new NoClassDefFoundError("thrown by a test");
            case "memory" -> throw new OutOfMemoryError("thrown by a test");
            default -> throw new IllegalArgumentException(what);
        }
    }

    @Bean
    @Order(-10)
    ErrorPage errorPage(Admission admission) {
        return new ErrorPage(admission);
    }

    static final class ErrorPage implements ErrorWebExceptionHandler {

        final AtomicInteger shown = new AtomicInteger();
        volatile int inFlight;
        private final Admission admission;

        ErrorPage(Admission admission) {
            this.admission = admission;
        }

        @Override
        public Mono<Void> handle(org.springframework.web.server.ServerWebExchange exchange, Throwable error) {
            shown.incrementAndGet();
            inFlight = admission.requestGates().get(0).limiter().inFlight();
            ServerHttpResponse response = exchange.getResponse();
            if (!response.setStatusCode(HttpStatus.INTERNAL_SERVER_ERROR)) {
                return Mono.error(error);
            }
            return response.writeWith(Mono.just(response.bufferFactory().wrap("error page".getBytes())));
        }
    }

    @Bean
    HandlerMapping webSockets() {
        WebSocketHandler echo = session -> session.send(session.receive().doOnNext(message -> message.retain()));
        return new SimpleUrlHandlerMapping(Map.of("/socket", echo), -1);
    }

    @RestController
    static final class Endpoints {

        // Not Reactor's, whose few threads would queue other requests behind the held one.
        private final Scheduler ownThreads = Schedulers.fromExecutor(task -> new Thread(task).start());
        private final Held held;

        Endpoints(Held held) {
            this.held = held;
        }

        @RequestMapping("/plain")
        String plain() {
            return "plain";
        }

        @RequestMapping("/mono")
        Mono<String> mono() {
            return Mono.delay(Duration.ofMillis(1)).thenReturn("mono");
        }

        @RequestMapping("/flux")
        Flux<String> flux() {
            return Flux.just("flux", "flux").delayElements(Duration.ofMillis(1));
        }

        @RequestMapping("/never")
        Mono<String> never() {
            return Mono.never();
        }

        @RequestMapping("/timeout")
        Mono<String> timeout() {
            return Mono.<String>never().timeout(Duration.ofMillis(20));
        }

        @RequestMapping("/hold")
        Mono<String> hold() {
            return Mono.fromCallable(() -> {
                        held.await();
                        return "held";
                    })
                    .subscribeOn(ownThreads);
        }

        @RequestMapping("/blocking")
        Mono<String> blocking() {
            return Mono.fromCallable(() -> "blocking").subscribeOn(Schedulers.boundedElastic());
        }

        @PostMapping("/echo")
        Mono<String> echo(@RequestBody String body) {
            return Mono.just("read " + body.length());
        }

        @RequestMapping("/fail")
        String fail(@RequestParam("what") String what) {
            throwIt(what);
            return "never";
        }

        @RequestMapping("/fail-later")
        Mono<String> failLater(@RequestParam("what") String what) {
            return Mono.delay(Duration.ofMillis(1)).map(tick -> {
                throwIt(what);
                return "never";
            });
        }

        @RequestMapping("/fail-in-between")
        Flux<String> failInBetween() {
            return Flux.concat(
                    Flux.just("one"),
                    Mono.delay(Duration.ofMillis(5))
                            .flatMap(tick -> Mono.error(new IllegalStateException("thrown by a test"))));
        }

        @RequestMapping("/streaming")
        ResponseEntity<Flux<DataBuffer>> streaming(@RequestParam("size") int size) {
            int chunk = 16_384;
            Flux<DataBuffer> body =
                    Flux.range(0, size / chunk).map(i -> DefaultDataBufferFactory.sharedInstance.wrap(new byte[chunk]));
            return ResponseEntity.ok()
                    .contentType(MediaType.APPLICATION_OCTET_STREAM)
                    .body(body);
        }

        @RequestMapping("/events")
        Flux<ServerSentEvent<Long>> events() {
            return Flux.interval(Duration.ofMillis(20))
                    .onBackpressureDrop()
                    .map(tick -> ServerSentEvent.builder(tick).build());
        }
    }
}
