package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.RollcallProperties.Discovery.Policy;
import io.rollcall.registry.Registry;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Events;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ServiceWatcherTests {

    private static final Duration DELAY = Duration.ofMillis(800);

    private final ScriptedResolver resolver = new ScriptedResolver();

    @AutoClose
    private final Events events = new Events(event -> {});

    @AutoClose
    private final Alarms alarms = new Alarms();

    private final ServiceCache cache = new ServiceCache(List.of("one"), Policy.MERGE, events, LastKnown.NOTHING);

    @AutoClose
    private final ResolverWorker worker = new ResolverWorker(
            new Registry("one", "test", "test:", Registry.Timing.DEFAULT, null, null, resolver, Registry.Client.NONE),
            resolver,
            cache,
            alarms,
            Clock.systemUTC());

    @AutoClose
    private final ServiceWatcher watcher =
            new ServiceWatcher(new LiveServices(cache, List.of(worker), Duration.ofSeconds(1)), DELAY, alarms);

    @Test
    void whatWasPlannedBeforeAStopIsNotDoneAfterANewStart() {
        watcher.start();
        await().pollDelay(DELAY.dividedBy(4)).until(() -> true);
        watcher.stop();
        int before = resolver.namings.get();
        long restarted = System.nanoTime();

        watcher.start();

        await().pollInterval(Duration.ofMillis(1)).until(() -> resolver.namings.get() > before);
        assertThat(Duration.ofNanos(System.nanoTime() - restarted)).isGreaterThanOrEqualTo(DELAY);
        await().until(() -> resolver.namings.get() > before + 1);
    }
}
