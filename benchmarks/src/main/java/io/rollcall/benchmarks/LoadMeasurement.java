package io.rollcall.benchmarks;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadRegistry;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.LockSupport;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * A real Tomcat or Netty whose handler can do eight things at once, each of 10 ms on average, under requests that come at a rate
 * of their own whatever becomes of the earlier ones. Arguments: {@code tomcat} or {@code netty}, requests per second, seconds,
 * then properties such as {@code --rollcall.max-concurrency=auto}. The capacity is 800 requests per second, less what the
 * machine takes for HTTP.
 */
public final class LoadMeasurement {

    private static final int SLOTS = 8;

    private LoadMeasurement() {}

    /** Prints what was answered within a second, what was refused, and how long answers took. */
    public static void main(String[] arguments) throws Exception {
        int rate = Integer.parseInt(arguments[1]);
        int count = rate * Integer.parseInt(arguments[2]);
        try (ConfigurableApplicationContext context =
                server(arguments[0]).run(Arrays.copyOfRange(arguments, 3, arguments.length))) {
            URI uri = URI.create(
                    "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port") + "/work");
            load(uri, rate, Math.min(count, rate * 2));
            Result result = load(uri, rate, count);
            System.out.printf(
                    "%s, %d/s: answered within 1 s %.1f %%, refused %.1f %%, failed %d, p50 %.0f ms, p99 %.0f ms, limit now %s%n",
                    arguments[0],
                    rate,
                    100.0 * result.timely / count,
                    100.0 * result.refused / count,
                    result.failed,
                    result.percentile(0.5),
                    result.percentile(0.99),
                    limit(context));
        }
    }

    private static SpringApplicationBuilder server(String name) {
        return switch (name) {
            case "tomcat" -> new SpringApplicationBuilder(ServletApplication.class).web(WebApplicationType.SERVLET);
            case "netty" ->
                // Tomcat serves reactive applications, too, and is preferred where both are there.
                new SpringApplicationBuilder(ReactiveApplication.class)
                        .web(WebApplicationType.REACTIVE)
                        .properties(
                                "spring.autoconfigure.exclude=org.springframework.boot.tomcat.autoconfigure.reactive"
                                        + ".TomcatReactiveWebServerAutoConfiguration");
            default -> throw new IllegalArgumentException("tomcat or netty, not " + name);
        };
    }

    private static String limit(ConfigurableApplicationContext context) {
        return context.getBeanProvider(BulkheadRegistry.class).stream()
                .flatMap(registry -> registry.getAllBulkheads().stream())
                .filter(bulkhead -> bulkhead.getName().equals("rollcall"))
                .map(Bulkhead::getMetrics)
                .map(metrics -> Integer.toString(metrics.getMaxAllowedConcurrentCalls()))
                .findFirst()
                .orElse("none");
    }

    private record Result(int timely, int refused, int failed, long[] nanos) {

        double percentile(double share) {
            return nanos.length == 0 ? 0 : nanos[(int) Math.min(nanos.length - 1, nanos.length * share)] / 1e6;
        }
    }

    private static Result load(URI uri, int rate, int count) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(5)).build();
        HttpRequest request =
                HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build();
        AtomicInteger refused = new AtomicInteger();
        AtomicInteger failed = new AtomicInteger();
        AtomicLongArray took = new AtomicLongArray(count);
        CompletableFuture<?>[] calls = new CompletableFuture<?>[count];
        Random random = new Random(1);
        long due = System.nanoTime();
        for (int i = 0; i < count; i++) {
            int call = i;
            due += (long) (-Math.log(1 - random.nextDouble()) * TimeUnit.SECONDS.toNanos(1) / rate);
            for (long rest = due - System.nanoTime(); rest > 0; rest = due - System.nanoTime()) {
                LockSupport.parkNanos(rest);
            }
            long sent = due;
            calls[i] = client.sendAsync(request, HttpResponse.BodyHandlers.discarding())
                    .handle((response, failure) -> {
                        if (failure != null) {
                            failed.incrementAndGet();
                        } else if (response.statusCode() == 503) {
                            refused.incrementAndGet();
                        } else {
                            took.set(call, System.nanoTime() - sent);
                        }
                        return null;
                    });
        }
        CompletableFuture.allOf(calls).get(1, TimeUnit.MINUTES);
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            nanos[i] = took.get(i);
        }
        long[] answered = Arrays.stream(nanos).filter(each -> each > 0).sorted().toArray();
        int timely = (int) Arrays.stream(answered)
                .filter(each -> each <= TimeUnit.SECONDS.toNanos(1))
                .count();
        return new Result(timely, refused.get(), failed.get(), answered);
    }

    @EnableAutoConfiguration
    static class ServletApplication {

        @Bean
        ServletWork work() {
            return new ServletWork();
        }
    }

    @RestController
    static final class ServletWork {

        private final Semaphore slots = new Semaphore(SLOTS);

        private final Service service = new Service();

        @GetMapping("/work")
        String work() throws InterruptedException {
            slots.acquire();
            try {
                return service.serve();
            } finally {
                slots.release();
            }
        }
    }

    @EnableAutoConfiguration
    static class ReactiveApplication {

        @Bean
        ReactiveWork work() {
            return new ReactiveWork();
        }
    }

    @RestController
    static final class ReactiveWork {

        private final Scheduler slots = Schedulers.newBoundedElastic(SLOTS, Integer.MAX_VALUE, "slots", 60, true);

        private final Service service = new Service();

        @GetMapping("/work")
        Mono<String> work() {
            return Mono.fromCallable(service::serve).subscribeOn(slots);
        }
    }

    /** Takes 10 ms on average, exponentially distributed. */
    private static final class Service {

        private final Random random = new Random(2);

        String serve() {
            LockSupport.parkNanos((long) (-Math.log(1 - random.nextDouble()) * 10_000_000));
            return "done";
        }
    }
}
