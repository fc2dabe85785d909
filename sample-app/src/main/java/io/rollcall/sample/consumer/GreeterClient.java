package io.rollcall.sample.consumer;

import io.rollcall.sample.Greeting;
import java.time.Duration;
import java.util.Objects;
import org.springframework.context.annotation.Profile;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.stereotype.Component;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestClientException;

/** Calls one of the greeters, whichever the load balancer chooses, and writes down who answered. */
@Component
@Profile("consumer")
class GreeterClient {

    private final RestClient client;

    private final CallLog log;

    GreeterClient(RestClient.Builder builder, CallLog log) {
        this.client = builder.build();
        this.log = log;
    }

    Greeting greet() {
        long start = System.nanoTime();
        try {
            Greeting greeting = Objects.requireNonNull(
                    client.get().uri("http://greeter/greeting").retrieve().body(Greeting.class));
            log.add(greeting.instance(), since(start), null);
            return greeting;
        } catch (RestClientException | IllegalStateException ex) {
            log.add(
                    null,
                    since(start),
                    NestedExceptionUtils.getMostSpecificCause(ex).toString());
            throw ex;
        }
    }

    private static Duration since(long start) {
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
