package io.rollcall.concurrency;

import java.time.Duration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

class NettyAdaptiveOverloadTests extends AdaptiveOverloadContract {

    @Override
    TestApplication start(String... properties) {
        return TestApplication.onNetty(Application.class, properties);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean(destroyMethod = "dispose")
        Scheduler slots() {
            return Schedulers.newBoundedElastic(SLOTS, Integer.MAX_VALUE, "slots");
        }

        @Bean
        Endpoints endpoints(Scheduler slots) {
            return new Endpoints(slots);
        }
    }

    @RestController
    static final class Endpoints {

        private final Scheduler slots;

        Endpoints(Scheduler slots) {
            this.slots = slots;
        }

        @GetMapping("/open/any")
        Mono<String> open() {
            return Mono.just("open");
        }

        @GetMapping("/free")
        Mono<String> free() {
            return Mono.delay(Duration.ofMillis(WORK_MILLIS)).thenReturn("done");
        }

        @GetMapping("/narrow")
        Mono<String> narrow() {
            return Mono.fromCallable(() -> {
                        // The work itself, which holds its slot; nothing is waited for.
                        Thread.sleep(WORK_MILLIS);
                        return "done";
                    })
                    .subscribeOn(slots);
        }
    }
}
