package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.RollcallProperties.Discovery.Policy;
import io.rollcall.registry.Registry;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Events;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.discovery.event.HeartbeatEvent;

class LiveServicesTests {

    private final ScriptedResolver one = new ScriptedResolver();

    private final ScriptedResolver two = new ScriptedResolver();

    private final List<Object> published = new CopyOnWriteArrayList<>();

    /** What a listener of an event could read at that moment. */
    private final List<List<Integer>> readAtEvent = new CopyOnWriteArrayList<>();

    private final Events events = new Events(event -> {
        published.add(event);
        if (event instanceof ServiceChangedEvent changed) {
            readAtEvent.add(ports(changed.getService()));
        }
    });

    private final Alarms alarms = new Alarms();

    private final ServiceCache cache = new ServiceCache(List.of("one", "two"), Policy.MERGE, events, LastKnown.NOTHING);

    private final ResolverWorkers workers = new ResolverWorkers(List.of(worker("one", one), worker("two", two)));

    private final LiveServices services = new LiveServices(cache, workers.all(), Duration.ofMillis(500));

    private ResolverWorker worker(String name, ScriptedResolver resolver) {
        Registry registry = new Registry(
                name,
                "test",
                "test:",
                new Registry.Timing(Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofMillis(300)),
                null,
                null,
                resolver,
                Registry.Client.NONE);
        return new ResolverWorker(registry, resolver, cache, alarms, Clock.systemUTC());
    }

    @AfterEach
    void close() {
        workers.close();
        alarms.close();
        events.close();
    }

    private List<Integer> ports(String service) {
        return services.getInstances(service).stream()
                .map(ServiceInstance::getPort)
                .toList();
    }

    private List<HeartbeatEvent> heartbeats() {
        List<HeartbeatEvent> heartbeats = new ArrayList<>();
        published.forEach(event -> {
            if (event instanceof HeartbeatEvent heartbeat) {
                heartbeats.add(heartbeat);
            }
        });
        return heartbeats;
    }

    @Test
    void theFirstLookUpHasTheAnswersOfAllRegistries() {
        one.list("orders", 1);
        two.list("orders", 2);

        assertThat(ports("orders")).containsExactly(1, 2);
    }

    @Test
    void aKnownServiceIsReadFromMemory() {
        one.list("orders", 1);
        List<ServiceInstance> first = services.getInstances("orders");
        assertThat(first).hasSize(1);
        await().until(() -> one.lookups.get() == 2 && two.lookups.get() == 2);

        assertThat(services.getInstances("orders")).isSameAs(first);
        one.failure = new IOException("gone");
        two.hanging = true;
        assertThat(services.getInstances("orders")).isSameAs(first);
        assertThat(one.lookups).hasValue(2);
    }

    @Test
    void aChangeThatIsAnnouncedIsSeen() {
        one.list("orders", 1);
        assertThat(ports("orders")).containsExactly(1);
        await().until(() -> one.watches.containsKey("orders"));

        one.list("orders", 1, 3);

        await().until(() -> ports("orders").equals(List.of(1, 3)));
        one.list("orders", 3);
        await().until(() -> ports("orders").equals(List.of(3)));
    }

    @Test
    void aMissedChangeIsSeenAtTheRefresh() {
        one.list("orders", 1);
        assertThat(ports("orders")).containsExactly(1);
        await().until(() -> one.lookups.get() == 2);
        one.listSilently("orders", 2);

        services.refresh();

        await().until(() -> ports("orders").equals(List.of(2)));
    }

    @Test
    void aRegistryThatFailsKeepsItsLastGoodListAndIsReadAgainWhenItIsBack() {
        one.list("orders", 1);
        two.list("orders", 2);
        assertThat(ports("orders")).containsExactly(1, 2);
        one.failure = new IOException("gone");
        services.refresh();
        await().until(() -> stateOf("orders", "one") == RegistryView.State.STALE);

        two.list("orders", 2, 3);
        await().until(() -> ports("orders").equals(List.of(1, 2, 3)));

        one.failure = null;
        one.listSilently("orders", 1, 4);
        await().until(() -> ports("orders").equals(List.of(1, 2, 3, 4)));
        assertThat(stateOf("orders", "one")).isEqualTo(RegistryView.State.LIVE);
    }

    private RegistryView.State stateOf(String service, String registry) {
        return services.snapshot().stream()
                .filter(snapshot -> snapshot.service().equals(service))
                .flatMap(snapshot -> snapshot.views().stream())
                .filter(view -> view.registry().equals(registry))
                .map(RegistryView::state)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void anEmptyAnswerAfterAnOutageDoesNotEmptyTheList() {
        one.list("orders", 1);
        assertThat(ports("orders")).containsExactly(1);
        one.failure = new IOException("restarting");
        services.refresh();
        await().until(() -> stateOf("orders", "one") == RegistryView.State.STALE);

        one.lists.clear();
        one.failure = null;
        await().until(() -> stateOf("orders", "one") == RegistryView.State.LIVE);

        assertThat(ports("orders")).containsExactly(1);
        // The grace of two seconds ends although nobody announces anything.
        await().until(() -> ports("orders").isEmpty());
    }

    @Test
    void anInstanceThatOneRegistrySawGoIsNotUsedForAnotherThatDoesNotAnswer() {
        one.list("orders", 1, 2);
        two.list("orders", 1, 2);
        assertThat(ports("orders")).containsExactly(1, 2);
        await().until(() -> two.watches.containsKey("orders"));
        one.failure = new IOException("gone");
        services.refresh();
        await().until(() -> stateOf("orders", "one") == RegistryView.State.STALE);
        assertThat(ports("orders")).containsExactly(1, 2);

        two.list("orders", 2);
        await().until(() -> ports("orders").equals(List.of(2)));
        one.listSilently("orders", 2);
        one.failure = null;
        await().until(() -> stateOf("orders", "one") == RegistryView.State.LIVE);
        assertThat(ports("orders")).containsExactly(2);

        one.list("orders", 1, 2);
        await().until(() -> ports("orders").equals(List.of(1, 2)));
    }

    @Test
    void theFirstLookUpWaitsForARegistryThatHangsNoLongerThanItsTimeoutAndTheNextNotAtAll() {
        one.hanging = true;
        two.list("orders", 2);
        two.list("stock", 3);

        assertThat(ports("orders")).containsExactly(2);
        await().until(() -> stateOf("orders", "one") == RegistryView.State.STALE);

        assertThat(ports("stock")).containsExactly(3);
        assertThat(services.findInstances("stock")).isDone();
        one.hanging = false;
        one.list("orders", 1);
        await().until(() -> ports("orders").equals(List.of(1, 2)));
    }

    @Test
    void aWatchThatIsLostIsSetUpAgainAndTheListReadAgain() {
        one.list("orders", 1);
        assertThat(ports("orders")).containsExactly(1);
        await().until(() -> one.watches.containsKey("orders"));
        one.listSilently("orders", 5);

        one.watches.get("orders").lost(new IOException("expected by the test"));

        await().until(() -> one.watchesSetUp.get() == 2);
        await().until(() -> ports("orders").equals(List.of(5)));
        one.list("orders", 6);
        await().until(() -> ports("orders").equals(List.of(6)));
    }

    @Test
    void aServiceThatCanNotBeWatchedIsStillRead() {
        one.watchFailure = new IOException("not allowed");
        one.list("orders", 1);

        assertThat(ports("orders")).containsExactly(1);
        one.watchFailure = null;
        await().until(() -> one.watches.containsKey("orders"));
    }

    @Test
    void aHeartbeatTellsOfRealChangesOnlyAndAfterTheNewListCanBeRead() {
        one.list("orders", 1);
        assertThat(ports("orders")).containsExactly(1);
        await().until(() -> heartbeats().size() == 1);
        await().until(() -> one.lookups.get() == 2);

        two.list("orders", 1);
        one.list("orders", 1);
        services.refresh();
        await().until(() -> one.lookups.get() >= 3 && two.lookups.get() >= 3);
        one.list("orders", 1, 2);

        await().until(() -> ports("orders").equals(List.of(1, 2)));
        await().until(() ->
                heartbeats().stream().map(HeartbeatEvent::getValue).distinct().count() >= 2);
        assertThat(heartbeats().stream().map(HeartbeatEvent::getValue)).doesNotHaveDuplicates();
        assertThat(readAtEvent).last().isEqualTo(List.of(1, 2));
    }

    @Test
    void aWatchThatCanNotBeIsTriedNoOftenerForBeingReadOften() {
        one.watchFailure = new IOException("not allowed");
        one.list("orders", 1);
        assertThat(ports("orders")).containsExactly(1);

        for (int i = 0; i < 50; i++) {
            int before = one.lookups.get();
            services.refresh();
            await().pollInterval(Duration.ofMillis(1)).until(() -> one.lookups.get() > before);
        }

        assertThat(one.watchAttempts.get()).isLessThan(20);
    }

    @Test
    void whoWaitsForAFirstAnswerDoesNotGoOnInTheThreadThatReadsIt() {
        RollcallReactiveDiscoveryClient client = new RollcallReactiveDiscoveryClient(services);
        one.list("orders", 1);
        one.list("stock", 2);

        List<ServiceInstance> both = client.getInstances("orders")
                .flatMapIterable(first -> services.getInstances("stock"))
                .collectList()
                .block(Duration.ofSeconds(20));

        assertThat(both).extracting(ServiceInstance::getPort).containsExactly(2);
    }

    @Test
    void anInstanceThatIsFoundToHaveGoneAfterAnOutageIsNotUsedForARegistryThatIsStillAway() {
        one.list("orders", 1, 2);
        two.list("orders", 1, 2);
        assertThat(ports("orders")).containsExactly(1, 2);
        one.failure = new IOException("gone");
        two.failure = new IOException("gone");
        services.refresh();
        await().until(() -> stateOf("orders", "one") == RegistryView.State.STALE
                && stateOf("orders", "two") == RegistryView.State.STALE);

        two.listSilently("orders", 2);
        two.failure = null;

        // Once it has had the time to come back, had it lived.
        await().until(() -> ports("orders").equals(List.of(2)));
        assertThat(stateOf("orders", "one")).isEqualTo(RegistryView.State.STALE);
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aServiceThatARegistryDoesNotAnswerForHarmsNoOther(CapturedOutput output) {
        one.list("orders", 1);
        one.list("stock", 2);
        assertThat(ports("orders")).containsExactly(1);
        assertThat(ports("stock")).containsExactly(2);
        await().until(() -> one.watches.keySet().containsAll(Set.of("orders", "stock")));

        one.failures.put("orders", new IOException("not for you"));
        one.list("orders", 1, 11);
        await().until(() -> output.toString().contains("Registry one answers, but not for orders"));
        for (int port = 3; port < 10; port++) {
            int added = port;
            one.list("stock", 2, added);
            await().until(() -> ports("stock").equals(List.of(2, added)));
        }

        assertThat(stateOf("stock", "one")).isEqualTo(RegistryView.State.LIVE);
        assertThat(stateOf("orders", "one")).isEqualTo(RegistryView.State.STALE);
        assertThat(ports("orders")).containsExactly(1);
        services.refresh();
        await().until(() -> services.peekServices().equals(List.of("orders", "stock")));

        one.failures.clear();
        await().until(() -> ports("orders").equals(List.of(1, 11)));
        await().until(() -> output.toString().contains("Registry one answers for orders again"));
        // Once, before it was known that only this service fails.
        assertThat(output.toString()).containsOnlyOnce("does not answer look-ups");
        assertThat(output.toString()).containsOnlyOnce("but not for orders");
    }

    @Test
    @ExtendWith(OutputCaptureExtension.class)
    void aRegistryThatDoesNotTellItsNamesIsReadAllTheSame(CapturedOutput output) {
        one.failures.put("*", new IOException("not for you"));
        one.list("orders", 1);
        two.list("stock", 2);

        assertThat(services.getServices()).containsExactly("stock");
        assertThat(ports("orders")).containsExactly(1);
        services.refresh();
        one.list("orders", 1, 2);
        await().until(() -> ports("orders").equals(List.of(1, 2)));
        assertThat(stateOf("orders", "one")).isEqualTo(RegistryView.State.LIVE);

        one.failures.clear();
        await().until(() -> services.peekServices().equals(List.of("orders", "stock")));
        assertThat(output.toString()).containsOnlyOnce("does not name its services");
        assertThat(output.toString()).doesNotContain("does not answer look-ups");
    }

    @Test
    void namesAllServicesOfAllRegistries() {
        one.list("orders", 1);
        two.list("stock", 2);
        services.refresh();

        await().until(() -> services.getServices().equals(List.of("orders", "stock")));
        one.failure = new IOException("gone");
        services.refresh();
        await().during(Duration.ofMillis(300))
                .until(() -> services.getServices().equals(List.of("orders", "stock")));
    }

    @Test
    void forgetsServicesThatNobodyListsAndNobodyAsksFor() {
        assertThat(ports("nobody")).isEmpty();
        one.list("orders", 1);
        assertThat(ports("orders")).containsExactly(1);

        services.refresh();
        assertThat(services.snapshot()).extracting(ServiceSnapshot::service).containsExactly("nobody", "orders");
        services.refresh();

        assertThat(services.snapshot()).extracting(ServiceSnapshot::service).containsExactly("orders");
        await().until(() -> !one.watches.containsKey("nobody"));
        two.list("nobody", 4);
        await().until(() -> ports("nobody").equals(List.of(4)));
    }

    @Test
    void manyUnknownNamesDoNotPileUp() {
        for (int i = 0; i < 5000; i++) {
            services.peekInstances("nobody-" + i);
        }
        await().until(() -> {
            services.peekInstances("nobody-again-" + System.nanoTime());
            return services.snapshot().size() <= 1001;
        });
        await().until(() -> one.watches.size() <= 1001);
    }

    @Test
    void theReactiveClientNeverBlocksAndHasTheSameAnswers() {
        RollcallReactiveDiscoveryClient client = new RollcallReactiveDiscoveryClient(services);
        one.list("orders", 1);
        two.hanging = true;

        List<ServiceInstance> instances =
                client.getInstances("orders").collectList().block();

        assertThat(instances).extracting(ServiceInstance::getPort).containsExactly(1);
    }
}
