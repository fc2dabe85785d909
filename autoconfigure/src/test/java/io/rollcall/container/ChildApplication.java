package io.rollcall.container;

import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.cloud.client.discovery.DiscoveryClient;
import org.springframework.http.MediaType;
import org.springframework.util.ClassUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An application that answers in plain text what it finds of itself, on which thread, and holds requests until it is told to let go. */
@RestController
@SpringBootConfiguration(proxyBeanMethods = false)
@EnableAutoConfiguration
public class ChildApplication {

    private final DiscoveryClient discovery;

    private final String name;

    private volatile CountDownLatch held = new CountDownLatch(1);

    public ChildApplication(DiscoveryClient discovery, @Value("${spring.application.name}") String name) {
        this.discovery = discovery;
        this.name = name;
    }

    public static void main(String[] arguments) {
        SpringApplication.run(ChildApplication.class, arguments);
    }

    @GetMapping(path = "/found", produces = MediaType.TEXT_PLAIN_VALUE)
    public String found() {
        return discovery.getInstances(name).toString();
    }

    @GetMapping(path = "/thread", produces = MediaType.TEXT_PLAIN_VALUE)
    public String thread() {
        return Thread.currentThread().toString();
    }

    /** The libraries for JSON on its class path. */
    @GetMapping(path = "/json", produces = MediaType.TEXT_PLAIN_VALUE)
    public String json() {
        return Stream.of("tools.jackson", "com.fasterxml.jackson", "com.google.gson")
                .filter(library -> ClassUtils.isPresent(library + ".databind.ObjectMapper", null)
                        || ClassUtils.isPresent(library + ".Gson", null))
                .toList()
                .toString();
    }

    @GetMapping(path = "/hold", produces = MediaType.TEXT_PLAIN_VALUE)
    public String hold() throws InterruptedException {
        held.await();
        return "held";
    }

    @GetMapping(path = "/exempt/release", produces = MediaType.TEXT_PLAIN_VALUE)
    public String release() {
        held.countDown();
        held = new CountDownLatch(1);
        return "released";
    }
}
