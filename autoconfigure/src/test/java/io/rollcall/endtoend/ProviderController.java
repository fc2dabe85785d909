package io.rollcall.endtoend;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.web.server.context.WebServerInitializedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** What providers answer: their port, at once or after a while. */
@RestController
class ProviderController {

    private final Map<String, AtomicInteger> orders = new ConcurrentHashMap<>();

    private volatile int port;

    @EventListener
    void listen(WebServerInitializedEvent event) {
        port = event.getWebServer().getPort();
    }

    /** Sleeps to be a slow call, not to wait for something. */
    @GetMapping("/port")
    String port(@RequestParam(defaultValue = "0") long millis) throws InterruptedException {
        Thread.sleep(millis);
        return String.valueOf(port);
    }

    /** Dies while it processes the request. */
    @PostMapping("/crash")
    void crash() {
        Runtime.getRuntime().halt(1);
    }

    /** Answers how often this provider has got that order. */
    @PostMapping("/orders")
    int order(@RequestBody String id) {
        return orders.computeIfAbsent(id, key -> new AtomicInteger()).incrementAndGet();
    }
}
