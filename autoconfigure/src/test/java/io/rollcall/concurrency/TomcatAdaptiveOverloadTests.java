package io.rollcall.concurrency;

import java.util.concurrent.Semaphore;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

class TomcatAdaptiveOverloadTests extends AdaptiveOverloadContract {

    @Override
    TestApplication start(String... properties) {
        return TestApplication.onTomcat(Application.class, properties);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {

        @Bean
        Endpoints endpoints() {
            return new Endpoints();
        }
    }

    @RestController
    static final class Endpoints {

        private final Semaphore slots = new Semaphore(SLOTS);

        @GetMapping("/open/any")
        String open() {
            return "open";
        }

        @GetMapping("/free")
        String free() throws InterruptedException {
            Thread.sleep(WORK_MILLIS);
            return "done";
        }

        @GetMapping("/narrow")
        String narrow() throws InterruptedException {
            this.slots.acquire();
            try {
                return free();
            } finally {
                this.slots.release();
            }
        }
    }
}
