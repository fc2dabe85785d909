package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.RollcallProperties.Discovery.Policy;
import io.rollcall.discovery.RegistryView.State;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import io.rollcall.worker.Alarms;
import io.rollcall.worker.Events;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.cloud.client.ServiceInstance;

/** What becomes of the lists of an earlier run. */
class SnapshotTests {

    @TempDir
    Path directory;

    private final List<Run> runs = new ArrayList<>();

    /** One life of an application, with two registries. */
    private final class Run implements AutoCloseable {

        final ScriptedResolver one = new ScriptedResolver();

        final ScriptedResolver two = new ScriptedResolver();

        private final Alarms alarms = new Alarms();

        private final SnapshotFile file = new SnapshotFile(directory, "shop");

        private final ResolverWorkers workers;

        private final SnapshotSaver saver;

        private final Events events;

        final LiveServices services;

        Run() {
            this("test:one", Clock.systemUTC());
        }

        Run(String url, Clock clock) {
            Registries registries =
                    new Registries(List.of(registry("one", url, one), registry("two", "test:two", two)));
            events = new Events(event -> {
                if (event instanceof ServiceChangedEvent changed) {
                    saver().onApplicationEvent(changed);
                }
            });
            ServiceCache cache =
                    new ServiceCache(registries.names(), Policy.MERGE, events, LastKnown.of(file.read(), registries));
            saver = new SnapshotSaver(file, cache, registries, alarms, clock);
            workers = new ResolverWorkers(registries.stream()
                    .flatMap(registry -> ResolverWorkers.of(registry, cache, alarms, clock))
                    .toList());
            services = new LiveServices(cache, workers.all(), Duration.ofMillis(500));
            runs.add(this);
        }

        private SnapshotSaver saver() {
            return saver;
        }

        private static Registry registry(String name, String url, ScriptedResolver resolver) {
            return new Registry(
                    name,
                    "test",
                    url,
                    new Registry.Timing(Duration.ofMillis(100), Duration.ofSeconds(2), Duration.ofMillis(400)),
                    null,
                    null,
                    resolver,
                    Registry.Client.NONE);
        }

        Run failing() {
            one.failure = new IOException("gone");
            two.failure = new IOException("gone");
            return this;
        }

        List<Integer> ports(String service) {
            return services.getInstances(service).stream()
                    .map(ServiceInstance::getPort)
                    .toList();
        }

        List<State> states(String service) {
            return services.snapshot().stream()
                    .filter(snapshot -> snapshot.service().equals(service))
                    .flatMap(snapshot -> snapshot.views().stream())
                    .map(RegistryView::state)
                    .toList();
        }

        @Override
        public void close() {
            saver.close();
            workers.close();
            alarms.close();
            events.close();
        }
    }

    @BeforeEach
    void anEarlierRun() {
        try (Run run = new Run()) {
            run.one.list("orders", 1, 2);
            run.two.list("orders", 2, 3);
            run.one.list("stock", 7);
            assertThat(run.ports("orders")).containsExactly(1, 2, 3);
            assertThat(run.ports("stock")).containsExactly(7);
        }
    }

    @AfterEach
    void closeAll() {
        runs.forEach(Run::close);
    }

    @Test
    void theListsAreUsedAtOnceWhenAllRegistriesFail() {
        Run run = new Run().failing();

        assertThat(run.ports("orders")).containsExactly(1, 2, 3);
        assertThat(run.states("orders")).containsOnly(State.SNAPSHOT);
        await().until(() -> run.services.peekServices().equals(List.of("orders", "stock")));
        assertThat(run.ports("unknown")).isEmpty();
    }

    @Test
    void theListsAreUsedWhenThePatienceWithRegistriesThatHangHasEnded() {
        Run run = new Run();
        run.one.hanging = true;
        run.two.hanging = true;

        assertThat(run.ports("orders")).containsExactly(1, 2, 3);
    }

    @Test
    void theReactiveClientUsesThemToo() {
        Run run = new Run();
        run.one.hanging = true;
        run.two.hanging = true;

        List<ServiceInstance> instances = new RollcallReactiveDiscoveryClient(run.services)
                .getInstances("orders")
                .collectList()
                .block();

        assertThat(instances).extracting(ServiceInstance::getPort).containsExactly(1, 2, 3);
    }

    @Test
    void theListsAreNotUsedWhenARegistryAnswers() {
        Run run = new Run();
        run.one.failure = new IOException("gone");
        run.two.list("orders", 4);

        assertThat(run.ports("orders")).containsExactly(4);
        await().until(() -> run.states("orders").equals(List.of(State.STALE, State.LIVE)));
        assertThat(run.ports("orders")).containsExactly(4);
    }

    @Test
    void aRegistryThatAnswersDecidesAboutAllThatItListedOnceItsGraceIsOver() {
        Run run = new Run().failing();
        assertThat(run.ports("orders")).containsExactly(1, 2, 3);

        run.one.list("orders", 1, 5);
        run.one.failure = null;

        // What only the registry listed that is still silent stays; 2 is doubted for the ttl, since its registry was
        // gone.
        await().until(() -> run.ports("orders").equals(List.of(1, 2, 3, 5)));
        assertThat(run.states("orders")).containsExactly(State.LIVE, State.SNAPSHOT);
        await().until(() -> run.ports("orders").equals(List.of(1, 3, 5)));

        run.two.failure = null;
        await().until(() -> run.ports("orders").equals(List.of(1, 5)));
        assertThat(run.states("orders")).containsOnly(State.LIVE);
    }

    @Test
    void anotherRegistrysUrlIsAnotherRegistry() {
        Run run = new Run("test:elsewhere", Clock.systemUTC()).failing();

        assertThat(run.ports("orders")).containsExactly(2, 3);
        assertThat(run.ports("stock")).isEmpty();
    }

    @Test
    void whatIsNotAskedForInOneRunIsThereInTheNext() {
        try (Run run = new Run()) {
            run.one.list("stock", 8);
            assertThat(run.ports("stock")).containsExactly(8);
        }
        try (Run run = new Run().failing()) {
            assertThat(run.ports("stock")).containsExactly(8);
        }

        Run run = new Run().failing();
        assertThat(run.ports("stock")).containsExactly(8);
        assertThat(run.ports("orders")).containsExactly(1, 2, 3);
    }

    @Test
    void whatNobodyHasAskedForInAWeekIsForgotten() {
        Clock later = Clock.fixed(Instant.now().plus(Duration.ofDays(8)), ZoneOffset.UTC);
        try (Run run = new Run("test:one", later)) {
            run.one.list("stock", 8);
            assertThat(run.ports("stock")).containsExactly(8);
        }

        Run run = new Run().failing();
        assertThat(run.ports("stock")).containsExactly(8);
        assertThat(run.ports("orders")).isEmpty();
    }

    @Test
    void aChangeIsWrittenSoonAndAnEmptyListEndsTheEntry() {
        Run run = new Run();
        run.one.list("stock", 8);
        assertThat(run.ports("stock")).containsExactly(8);
        SnapshotFile file = new SnapshotFile(directory, "shop");
        await().until(() -> file.read().stream()
                .anyMatch(list -> list.service().equals("stock")
                        && list.instances().get(0).port() == 8));

        run.one.list("stock");

        await().until(() ->
                file.read().stream().noneMatch(list -> list.service().equals("stock")));
    }

    @Test
    void severalInstancesOfAnApplicationKeepWhatEachKnows() {
        Run first = new Run();
        Run second = new Run();
        first.one.list("first", 1);
        second.one.list("second", 2);
        assertThat(first.ports("first")).containsExactly(1);
        assertThat(second.ports("second")).containsExactly(2);
        first.close();
        second.close();

        Run run = new Run().failing();

        assertThat(run.ports("first")).containsExactly(1);
        assertThat(run.ports("second")).containsExactly(2);
        assertThat(run.ports("stock")).containsExactly(7);
    }
}
