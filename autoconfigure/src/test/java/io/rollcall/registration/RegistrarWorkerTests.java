package io.rollcall.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import io.rollcall.worker.Alarms;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegistrarWorkerTests {

    private final Instance instance =
            new Instance("orders-1", "orders", "127.0.0.1", 8080, false, Map.of("weight", "100"));

    private final ScriptedRegistrar registrar = new ScriptedRegistrar();

    private final Alarms alarms = new Alarms();

    private final List<RegistrationState> told = new CopyOnWriteArrayList<>();

    private final List<String> observed = new CopyOnWriteArrayList<>();

    private final CallObserver observer =
            (registry, operation, took, succeeded) -> observed.add(registry + " " + operation + " " + succeeded);

    private volatile Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private final Clock clock = ((InstantSource) () -> now).withZone(ZoneOffset.UTC);

    private RegistrarWorker worker = worker(Duration.ofMillis(50), Duration.ofMillis(200), null);

    private RegistrarWorker worker(Duration interval, Duration timeout, String address) {
        return worker(interval, timeout, address, observer);
    }

    private RegistrarWorker worker(Duration interval, Duration timeout, String address, CallObserver callObserver) {
        Registry registry = new Registry(
                "test",
                "test",
                "test:",
                new Registry.Timing(interval, Duration.ofSeconds(1), timeout),
                address,
                registrar,
                null,
                Registry.Client.NONE);
        return new RegistrarWorker(
                registry, registrar, alarms, clock, (on, status) -> told.add(status.state()), callObserver);
    }

    @AfterEach
    void close() {
        worker.close();
        alarms.close();
    }

    private RegistrationStatus status() {
        return worker.status(instance);
    }

    private void awaitState(RegistrationState state) {
        await().until(() -> status().state() == state);
    }

    @Test
    void joinsAndRenewsAtEveryInterval() {
        worker.join(instance);

        awaitState(RegistrationState.REGISTERED);
        await().until(() -> registrar.calls.size() > 5);
        assertThat(status().lastSuccess()).isEqualTo(now);
        assertThat(status().attempts()).isZero();
        assertThat(status().nextAttempt()).isBetween(now, now.plusMillis(50));
        assertThat(told).containsExactly(RegistrationState.REGISTERED);
    }

    @Test
    void isArmedBeforeTheFirstAttemptAndTriesUntilTheRegistryIsThere() {
        registrar.failure = new IOException("nobody there");
        worker.join(instance);
        assertThat(status().state()).isIn(RegistrationState.PENDING, RegistrationState.RETRYING);

        await().until(() -> status().attempts() > 3);
        assertThat(status().state()).isEqualTo(RegistrationState.RETRYING);
        assertThat(status().lastError()).isEqualTo("nobody there");
        registrar.failure = null;

        awaitState(RegistrationState.REGISTERED);
        assertThat(status().lastError()).isNull();
        assertThat(told).containsExactly(RegistrationState.RETRYING, RegistrationState.REGISTERED);
    }

    @Test
    void isLostOnceTheRegistryMustHaveForgottenIt() {
        worker.join(instance);
        awaitState(RegistrationState.REGISTERED);

        registrar.failure = new IOException("gone");
        awaitState(RegistrationState.RETRYING);
        // The clock on the wall is put back meanwhile, which must not hide it.
        now = now.minus(Duration.ofDays(365));

        awaitState(RegistrationState.LOST);
        registrar.failure = null;
        awaitState(RegistrationState.REGISTERED);
    }

    @Test
    void aRefusalIsAFailureThatIsTriedAgain() {
        registrar.failure = new RefusedException("WRONGPASS");
        worker.join(instance);

        awaitState(RegistrationState.FAILED);
        registrar.failure = null;
        awaitState(RegistrationState.REGISTERED);
    }

    @Test
    void endsACallThatHangsAndTriesAgain() {
        registrar.hanging = true;
        worker.join(instance);

        awaitState(RegistrationState.RETRYING);
        assertThat(status().lastError()).startsWith("no answer within 200 ms");
        registrar.hanging = false;
        awaitState(RegistrationState.REGISTERED);
    }

    @Test
    void aLeaveDoesNotWaitForARenewalThatHangs() throws Exception {
        worker = worker(Duration.ofMillis(50), Duration.ofMinutes(5), null);
        worker.join(instance);
        awaitState(RegistrationState.REGISTERED);
        registrar.hanging = true;
        int calls = registrar.calls.size();
        await().until(() -> registrar.calls.size() > calls);
        registrar.hanging = false;

        CompletableFuture<Boolean> left = worker.leave(instance, RegistrationState.DEREGISTERED);

        assertThat(left.get(1, TimeUnit.MINUTES)).isTrue();
        assertThat(status().state()).isEqualTo(RegistrationState.DEREGISTERED);
    }

    @Test
    void neverWritesAgainAfterLeaving() throws Exception {
        Random random = new Random(7);
        worker = worker(Duration.ofMillis(2), Duration.ofSeconds(5), null);
        for (int round = 0; round < 200; round++) {
            worker.join(instance).get(10, TimeUnit.SECONDS);
            // At a random place between two renewals.
            long until = System.nanoTime() + random.nextInt(4_000_000);
            while (System.nanoTime() < until) {
                Thread.onSpinWait();
            }

            assertThat(worker.leave(instance, RegistrationState.DEREGISTERED).get(10, TimeUnit.SECONDS))
                    .isTrue();

            int calls = registrar.calls.size();
            assertThat(registrar.calls.get(calls - 1)).startsWith("leave");
            assertThat(registrar.listed).isNull();
        }
        int calls = registrar.calls.size();
        // Twenty renewals would fall into that time, were there any.
        await().during(Duration.ofMillis(50)).until(() -> registrar.calls.size() == calls);
    }

    @Test
    void aJoinThatIsCutShortMayHaveBeenHeard() throws Exception {
        worker = worker(Duration.ofMillis(50), Duration.ofMinutes(1), null);
        worker.join(instance).get(10, TimeUnit.SECONDS);
        worker.leave(instance, RegistrationState.OFFLINE).get(10, TimeUnit.SECONDS);
        registrar.mute = true;
        worker.join(instance);
        await().until(() -> registrar.listed != null);
        registrar.mute = false;

        assertThat(worker.leave(instance, RegistrationState.OFFLINE).get(10, TimeUnit.SECONDS))
                .isTrue();

        assertThat(registrar.listed).isNull();
        assertThat(status().state()).isEqualTo(RegistrationState.OFFLINE);
    }

    @Test
    void leavesAfterAJoinThatWasNeverConfirmedHoweverOftenThatFails() throws Exception {
        registrar.mute = true;
        worker.join(instance);
        awaitState(RegistrationState.RETRYING);
        registrar.failure = new IOException("busy");

        assertThat(worker.leave(instance, RegistrationState.OFFLINE).get(10, TimeUnit.SECONDS))
                .isFalse();
        assertThat(registrar.listed).isNotNull();
        registrar.failure = null;

        awaitState(RegistrationState.OFFLINE);
        assertThat(registrar.listed).isNull();
    }

    @Test
    void theLastOfSeveralQuickCommandsWins() {
        worker.join(instance);
        worker.leave(instance, RegistrationState.DEREGISTERED);
        worker.join(instance.withMetadata(Map.of("weight", "7")));

        await().until(() -> registrar.listed != null && registrar.listed.weight() == 7);
        awaitState(RegistrationState.REGISTERED);
        int calls = registrar.calls.size();
        await().until(() -> registrar.calls.size() > calls + 3);
        assertThat(registrar.listed.weight()).isEqualTo(7);
    }

    @Test
    void whoeverWaitsForACommandIsToldWhenAnotherHasTakenItsPlace() throws Exception {
        registrar.failure = new IOException("nobody there");
        CompletableFuture<Boolean> joined = worker.join(instance);

        worker.leave(instance, RegistrationState.OFFLINE);

        assertThat(joined.get(10, TimeUnit.SECONDS)).isFalse();
    }

    @Test
    void aLeaveThatFailsIsTriedAgain() throws Exception {
        worker.join(instance);
        awaitState(RegistrationState.REGISTERED);
        registrar.failure = new IOException("gone");

        CompletableFuture<Boolean> left = worker.leave(instance, RegistrationState.OFFLINE);
        await().until(() -> status().attempts() > 1);
        assertThat(left).isNotDone();
        registrar.failure = null;

        assertThat(left.get(10, TimeUnit.SECONDS)).isTrue();
        assertThat(status().state()).isEqualTo(RegistrationState.OFFLINE);
        assertThat(observed)
                .contains("test join true", "test leave false")
                .last()
                .isEqualTo("test leave true");
    }

    @Test
    void whatHasNeverJoinedHasNothingToLeave() {
        assertThat(worker.leave(instance, RegistrationState.DEREGISTERED)).isCompletedWithValue(true);
        assertThat(registrar.calls).isEmpty();
    }

    @Test
    void anExplicitAddressOfTheRegistryIsRegisteredThere() {
        worker = worker(Duration.ofMillis(50), Duration.ofSeconds(1), "192.0.2.7");
        worker.join(instance);

        awaitState(RegistrationState.REGISTERED);
        assertThat(registrar.listed.address()).isEqualTo("192.0.2.7:8080");
        assertThat(registrar.listed.id()).isEqualTo("orders-1");
    }

    @Test
    void anObserverThatFailsDoesNotEndTheRenewals() {
        AtomicInteger failed = new AtomicInteger();
        worker.close();
        worker = worker(Duration.ofMillis(50), Duration.ofMillis(200), null, (registry, operation, took, succeeded) -> {
            failed.incrementAndGet();
            throw new IllegalStateException("an observer's fault");
        });
        worker.join(instance);

        await().until(() -> failed.get() > 3 && registrar.calls.size() > 3);
    }

    @Test
    void aWallClockThatJumpsDoesNotStopTheRenewals() {
        worker.join(instance);
        awaitState(RegistrationState.REGISTERED);

        now = now.minus(Duration.ofDays(365));
        int calls = registrar.calls.size();

        await().until(() -> registrar.calls.size() > calls + 3);
        assertThat(status().state()).isEqualTo(RegistrationState.REGISTERED);
    }
}
