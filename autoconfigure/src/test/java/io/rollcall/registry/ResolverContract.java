package io.rollcall.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What every {@link Resolver} must do, whatever the registry. Extend it for a registry of your own; it needs a real one, and a
 * registrar to change it with.
 */
public abstract class ResolverContract {

    private final String service = "orders-" + UUID.randomUUID();

    /** A new resolver as another process would have it; closed by the test class. */
    protected abstract Resolver newResolver() throws Exception;

    /** A registrar of the same registry. */
    protected abstract Registrar registrar() throws Exception;

    /** Makes the registry forget everything, as after a restart without its data. */
    protected abstract void wipe() throws Exception;

    /** Whether the server answers from a copy that it renews a little after a change. */
    protected boolean answersFromACopy() {
        return false;
    }

    private Instance instance(int port) {
        return new Instance(service + "-" + port, service, "127.0.0.1", port, false, Map.of("weight", "100"));
    }

    @Test
    void answersEmptyForAServiceThatNobodyKnows() throws Exception {
        Listing listing = newResolver().lookup("nobody-" + UUID.randomUUID());

        assertThat(listing.instances()).isEmpty();
        assertThat(listing.rejected()).isEmpty();
    }

    @Test
    void answersForNamesThatNoRegistryCanHold() throws Exception {
        Resolver resolver = newResolver();

        for (String name : new String[] {"a/b", "..", "a b", "ä_ö", "x{y}z", "*"}) {
            assertThat(resolver.lookup(name).instances()).as(name).isEmpty();
        }
    }

    @Test
    void listsAllInstancesOfAServiceAndNoOthers() throws Exception {
        registrar().join(instance(8081));
        registrar().join(instance(8082));
        registrar().join(new Instance("other", "other-" + UUID.randomUUID(), "127.0.0.1", 8083, false, Map.of()));

        assertThat(lookupTwo()).extracting(Instance::port).containsExactlyInAnyOrder(8081, 8082);
    }

    @Test
    void tellsWhichInstanceIsToGetNoTraffic() throws Exception {
        registrar().join(instance(8081).withMetadata(Map.of("weight", "0")));
        registrar().join(instance(8082).withMetadata(Map.of("weight", "1")));

        assertThat(lookupTwo())
                .extracting(Instance::port, Instance::weight)
                .containsExactlyInAnyOrder(tuple(8081, 0), tuple(8082, 1));
    }

    /** Two instances that have just joined; a copy may not have the second one yet. */
    private List<Instance> lookupTwo() throws Exception {
        Resolver resolver = newResolver();
        if (answersFromACopy()) {
            await().until(() -> resolver.lookup(service).instances().size() == 2);
        }
        return resolver.lookup(service).instances();
    }

    @Test
    void namesServicesThatHaveAnInstance() throws Exception {
        registrar().join(instance(8081));
        assertThat(newResolver().services()).contains(service);

        registrar().leave(instance(8081));

        Resolver resolver = newResolver();
        if (answersFromACopy()) {
            await().until(() -> !resolver.services().contains(service));
        }
        assertThat(resolver.services()).doesNotContain(service);
    }

    @Test
    void tellsOfJoiningUpdatingAndLeaving() throws Exception {
        Resolver resolver = newResolver();
        Listener listener = new Listener();
        try (Watch watch = resolver.watch(service, listener)) {
            assertThat(watch).isNotNull();
            listener.settle();

            int before = listener.changes.get();
            registrar().join(instance(8081));
            listener.awaitMoreThan(before);
            assertThat(resolver.lookup(service).instances()).hasSize(1);
            listener.settle();

            before = listener.changes.get();
            registrar().join(instance(8081).withMetadata(Map.of("weight", "7")));
            listener.awaitMoreThan(before);
            assertThat(resolver.lookup(service).instances().get(0).weight()).isEqualTo(7);
            listener.settle();

            before = listener.changes.get();
            registrar().leave(instance(8081));
            listener.awaitMoreThan(before);
            assertThat(resolver.lookup(service).instances()).isEmpty();
        }
    }

    @Test
    void doesNotTellOfRenewals() throws Exception {
        registrar().join(instance(8081));
        Listener listener = new Listener();
        try (Watch watch = newResolver().watch(service, listener)) {
            assertThat(watch).isNotNull();
            listener.settle();
            int before = listener.changes.get();

            for (int i = 0; i < 5; i++) {
                registrar().join(instance(8081));
            }
            listener.settle();

            assertThat(listener.changes).hasValue(before);
        }
    }

    @Test
    void doesNotTellOfOtherServices() throws Exception {
        registrar().join(instance(8081));
        Listener listener = new Listener();
        try (Watch watch = newResolver().watch(service, listener)) {
            assertThat(watch).isNotNull();
            listener.settle();
            int before = listener.changes.get();

            for (int i = 0; i < 5; i++) {
                Instance other = new Instance(
                        service + "-other-" + i, service + "-other", "127.0.0.1", 9000 + i, false, Map.of());
                registrar().join(other);
                registrar().leave(other);
            }
            listener.settle();

            assertThat(listener.changes).hasValue(before);
        }
    }

    @Test
    void aClosedWatchTellsNothingMore() throws Exception {
        Listener listener = new Listener();
        Watch watch = newResolver().watch(service, listener);
        listener.settle();
        watch.close();
        watch.close();
        int before = listener.changes.get();

        registrar().join(instance(8081));
        listener.settle();

        assertThat(listener.changes).hasValue(before);
    }

    @Test
    protected void hasAnotherIncarnationAfterTheRegistryHasLostItsData() throws Exception {
        Resolver resolver = newResolver();
        registrar().join(instance(8081));
        String before = resolver.lookup(service).incarnation();
        assertThat(before).isNotNull();
        assertThat(resolver.lookup(service).incarnation()).isEqualTo(before);

        wipe();
        registrar().join(instance(8082));

        assertThat(resolver.lookup(service).incarnation()).isNotEqualTo(before);
    }

    /** Counts what it is told. */
    private static final class Listener implements WatchListener {

        private final AtomicInteger changes = new AtomicInteger();

        @Override
        public void changed() {
            changes.incrementAndGet();
        }

        @Override
        public void lost(Exception cause) {
            throw new IllegalStateException(cause);
        }

        void awaitMoreThan(int count) {
            await().until(() -> changes.get() > count);
        }

        /** Waits until nothing has been told for a while: a condition on quiet, since the absence of a call has no event. */
        void settle() {
            int[] last = {-1};
            await().pollInterval(Duration.ofMillis(300)).until(() -> {
                boolean quiet = last[0] == changes.get();
                last[0] = changes.get();
                return quiet;
            });
        }
    }
}
