package io.rollcall.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegistryThreadTests {

    private final Alarms alarms = new Alarms();

    private final RegistryThread thread = new RegistryThread("rollcall-test", Duration.ofMillis(100), alarms);

    private final List<String> log = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() {
        thread.close();
        alarms.close();
    }

    @Test
    void doesItsTasksInOrderInOneNamedDaemonThread() {
        AtomicReference<Thread> doing = new AtomicReference<>();
        for (int i = 0; i < 100; i++) {
            String task = "" + i;
            thread.execute(() -> {
                doing.set(Thread.currentThread());
                log.add(task);
            });
        }

        await().until(() -> log.size() == 100);
        assertThat(log).isSortedAccordingTo(java.util.Comparator.comparing(Integer::valueOf));
        assertThat(doing.get().getName()).isEqualTo("rollcall-test");
        assertThat(doing.get().isDaemon()).isTrue();
    }

    @Test
    void endsACallThatTakesTooLong() {
        thread.execute(() -> call(new CountDownLatch(1)::await));

        await().until(() -> log.size() == 1);
        assertThat(log.get(0)).isEqualTo("TimeoutException: no answer within 100 ms");
    }

    @Test
    void theInterruptOfOneCallDoesNotReachTheNext() {
        thread.execute(() -> call(() -> {
            // Ends at the deadline without taking notice of the interrupt.
            while (!Thread.currentThread().isInterrupted()) {
                Thread.onSpinWait();
            }
        }));
        thread.execute(() -> log.add("interrupted: " + Thread.currentThread().isInterrupted()));
        thread.execute(() -> call(() -> {}));

        await().until(() -> log.size() == 3);
        assertThat(log).containsExactly("ok", "interrupted: false", "ok");
    }

    @Test
    void givesUpTheCallThatIsBeingMade() {
        CountDownLatch calling = new CountDownLatch(1);
        RegistryThread patient = new RegistryThread("rollcall-patient", Duration.ofMinutes(1), alarms);
        try {
            patient.execute(() -> call(patient, () -> {
                calling.countDown();
                new CountDownLatch(1).await();
            }));
            await().until(() -> calling.getCount() == 0);

            patient.giveUp("no longer wanted");

            await().until(() -> log.equals(List.of("TimeoutException: no longer wanted")));
            patient.giveUp("nothing to give up");
            patient.execute(() -> call(patient, () -> {}));
            await().until(() -> log.size() == 2);
            assertThat(log.get(1)).isEqualTo("ok");
        } finally {
            patient.close();
        }
    }

    @Test
    void survivesATaskThatThrows() {
        thread.execute(() -> {
            throw new IllegalStateException("expected by the test");
        });
        thread.execute(() -> log.add("next"));

        await().until(() -> log.contains("next"));
    }

    @Test
    void anErrorOfAClientLibraryIsAFailureLikeAnyOther() {
        thread.execute(() -> call(() -> {
            throw new NoClassDefFoundError("expected by the test");
        }));

        await().until(() -> log.size() == 1);
        assertThat(log.get(0)).startsWith("IllegalStateException: java.lang.NoClassDefFoundError");
    }

    @Test
    void isGoneAfterTheCloseAndTakesNothingMore() throws Exception {
        AtomicReference<Thread> doing = new AtomicReference<>();
        thread.execute(() -> {
            doing.set(Thread.currentThread());
            call(new CountDownLatch(1)::await);
        });
        await().until(() -> doing.get() != null);

        thread.close();

        doing.get().join();
        assertThat(thread.schedule(() -> log.add("never"), Duration.ZERO)).isNull();
    }

    private interface Body {
        void run() throws Exception;
    }

    private void call(Body body) {
        call(thread, body);
    }

    private void call(RegistryThread on, Body body) {
        try {
            on.call(() -> {
                body.run();
                return "";
            });
            log.add("ok");
        } catch (TimeoutException ex) {
            log.add("TimeoutException: " + ex.getMessage());
        } catch (Exception ex) {
            log.add(ex.getClass().getSimpleName() + ": " + ex.getMessage());
        }
    }
}
