package io.rollcall.endtoend;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.springframework.cloud.client.ServiceInstance;

/** Looks a consumer's service up every few milliseconds, and counts how often it does not find what it should. */
final class Sampler {

    private final Consumer consumer;

    private final Predicate<List<ServiceInstance>> right;

    private final AtomicInteger wrong = new AtomicInteger();

    private final ScheduledExecutorService executor = Executors.newSingleThreadScheduledExecutor();

    private final Future<?> sampling;

    Sampler(Consumer consumer, Predicate<List<ServiceInstance>> right) {
        this.consumer = consumer;
        this.right = right;
        this.sampling = executor.scheduleAtFixedRate(this::sample, 0, 5, TimeUnit.MILLISECONDS);
    }

    private void sample() {
        if (!right.test(consumer.found())) {
            wrong.incrementAndGet();
        }
    }

    int stop() throws InterruptedException {
        assertThat(sampling.isDone()).as("a look-up has failed").isFalse();
        executor.shutdown();
        assertThat(executor.awaitTermination(3, TimeUnit.MINUTES)).isTrue();
        return wrong.get();
    }
}
