package io.rollcall.container;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Registry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Asks every registry again and again, each on a thread of its own, whether it lists exactly one instance. */
final class PresenceSampler {

    private static final long EVERY_MILLIS = 20;

    private final Map<String, AtomicInteger> samples = new ConcurrentHashMap<>();

    private final Map<String, AtomicInteger> wrong = new ConcurrentHashMap<>();

    private final ScheduledExecutorService executor;

    PresenceSampler(Observer observer, String service) {
        executor =
                Executors.newScheduledThreadPool(observer.registries().names().size());
        observer.registries().forEach(registry -> {
            samples.put(registry.name(), new AtomicInteger());
            wrong.put(registry.name(), new AtomicInteger());
            executor.scheduleWithFixedDelay(() -> sample(registry, service), 0, EVERY_MILLIS, TimeUnit.MILLISECONDS);
        });
    }

    private void sample(Registry registry, String service) {
        boolean right = false;
        try {
            right = Observer.listed(registry, service).size() == 1;
        } finally {
            samples.get(registry.name()).incrementAndGet();
            if (!right) {
                wrong.get(registry.name()).incrementAndGet();
            }
        }
    }

    /** Fails if any sample was wrong, or there are too few to tell. */
    void stop() throws InterruptedException {
        await().until(() -> samples.values().stream().allMatch(count -> count.get() > 50));
        executor.shutdown();
        assertThat(executor.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
        assertThat(wrong.values())
                .as("wrong samples " + wrong + " of " + samples)
                .allSatisfy(count -> assertThat(count).hasValue(0));
    }
}
