package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.RollcallProperties.Discovery.Policy;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Events;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ResolverWorkerTests {

    private final ScriptedResolver resolver = new ScriptedResolver();

    @AutoClose
    private final Events events = new Events(event -> {});

    @AutoClose
    private final Alarms alarms = new Alarms();

    private final ServiceCache cache = new ServiceCache(List.of("one"), Policy.MERGE, events, LastKnown.NOTHING);

    /** No call of these tests is to end by its limit. */
    @AutoClose
    private final ResolverWorker worker = new ResolverWorker(
            new Registry(
                    "one",
                    "test",
                    "test:",
                    new Timing(Duration.ofSeconds(1), Duration.ofSeconds(60), Duration.ofMinutes(10)),
                    null,
                    null,
                    resolver,
                    Registry.Client.NONE),
            resolver,
            cache,
            alarms,
            Clock.systemUTC());

    private ServiceEntry subscribe(String service) {
        ServiceEntry entry = cache.add(service);
        worker.subscribe(entry);
        return entry;
    }

    private ServiceEntry subscribeAndSettle(String service) {
        ServiceEntry entry = subscribe(service);
        await().until(() -> resolver.watches.containsKey(service));
        return entry;
    }

    private static RegistryView.State state(ServiceEntry entry) {
        return entry.view("one").state();
    }

    @Test
    void whenTheRegistryAnswersAgainAllServicesAreRead() {
        resolver.list("orders", 1);
        resolver.list("stock", 2);
        ServiceEntry orders = subscribeAndSettle("orders");
        ServiceEntry stock = subscribeAndSettle("stock");
        resolver.failure = new IOException("too slow");
        resolver.list("orders", 1, 11);
        await().until(() -> state(stock) == RegistryView.State.STALE);

        resolver.failure = null;

        await().until(() -> state(orders) == RegistryView.State.LIVE);
        await().until(() -> state(stock) == RegistryView.State.LIVE);
    }

    @Test
    void aServiceThatIsForgottenAndAskedForAtTheSameTimeLeavesNoWatchBehind() {
        ServiceEntry before = subscribeAndSettle("orders");
        cache.remove(before);

        subscribe("orders");
        worker.unsubscribe(before);

        await().until(() -> resolver.watchesSetUp.get() == 2);
        assertThat(resolver.watchesClosed).hasValue(1);
        assertThat(resolver.watches).containsKey("orders");
    }

    @Test
    void whoAsksForAServiceDoesNotWaitForARefreshOfAllOthers() {
        for (int i = 0; i < 100; i++) {
            subscribe("service-" + i);
        }
        // Each is read once more when its watch is there, and may then be read again after a moment.
        await().until(() -> resolver.lookups.get() == 200);
        await().pollDelay(Duration.ofMillis(300)).until(() -> resolver.lookups.get() == 200);
        CountDownLatch gate = new CountDownLatch(1);
        resolver.gate = gate;
        resolver.lookedUp.clear();
        worker.refresh();
        await().until(() -> resolver.lookedUp.size() == 1);

        subscribe("new");
        gate.countDown();

        await().until(() -> resolver.lookedUp.contains("new"));
        assertThat(resolver.lookedUp.indexOf("new")).isLessThan(10);
    }
}
