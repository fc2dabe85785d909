package io.rollcall.concurrency;

import java.util.concurrent.Semaphore;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What {@link AdaptiveOverloadContract} needs of an application, on servlets. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
class ServletOverloadApplication {

    @RestController
    static final class Endpoints {

        private final Semaphore slots = new Semaphore(AdaptiveOverloadContract.SLOTS);

        @GetMapping("/open/any")
        String open() {
            return "open";
        }

        @GetMapping("/free")
        String free() throws InterruptedException {
            // The work itself; nothing is waited for.
            Thread.sleep(AdaptiveOverloadContract.WORK_MILLIS);
            return "done";
        }

        @GetMapping("/narrow")
        String narrow() throws InterruptedException {
            slots.acquire();
            try {
                return free();
            } finally {
                slots.release();
            }
        }
    }
}
