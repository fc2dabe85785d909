package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RetentionTests {

    private static final Duration SHORT = Duration.ofSeconds(1);

    private long now = Long.MAX_VALUE - 1_000_000_000L;

    private final Retention retention = new Retention(Duration.ofSeconds(15), () -> now);

    private List<String> accept(Duration outage, String incarnation, Set<String> left, String... ids) {
        List<Instance> instances = Arrays.stream(ids)
                .map(id -> new Instance(id, "orders", "127.0.0.1", 8000 + id.charAt(0), false, Map.of()))
                .toList();
        return retention.accept(new Listing(instances, left, List.of(), incarnation, null), outage).stream()
                .map(Instance::id)
                .sorted()
                .toList();
    }

    private List<String> accept(String... ids) {
        return accept(Duration.ZERO, "1", Set.of(), ids);
    }

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void believesARegistryThatWasThereAllTheTime() {
        assertThat(accept("a", "b")).containsExactly("a", "b");
        assertThat(accept("b")).containsExactly("b");
        assertThat(accept()).isEmpty();
    }

    @Test
    void keepsWhatARestartedRegistryHasNotGotBackYet() {
        accept("a", "b");

        assertThat(accept(SHORT, "1", Set.of())).containsExactly("a", "b");
        assertThat(retention.nextEnd()).isEqualTo(Duration.ofSeconds(15));
        pass(Duration.ofSeconds(5));
        assertThat(accept("a")).containsExactly("a", "b");
        pass(Duration.ofSeconds(9));
        assertThat(accept("a")).containsExactly("a", "b");
        pass(Duration.ofSeconds(2));
        assertThat(accept("a")).containsExactly("a");
        assertThat(retention.nextEnd()).isNull();
    }

    @Test
    void keepsWhatAWipedRegistryHasForgotten() {
        accept("a", "b");

        assertThat(accept(Duration.ZERO, null, Set.of())).containsExactly("a", "b");
        assertThat(accept(Duration.ZERO, "2", Set.of(), "a")).containsExactly("a", "b");
        assertThat(accept(Duration.ZERO, "2", Set.of(), "a", "b")).containsExactly("a", "b");
        assertThat(accept(Duration.ZERO, "2", Set.of(), "a")).containsExactly("a");
    }

    @Test
    void whatIsKnownToHaveLeftIsGoneEvenThen() {
        accept("a", "b");

        assertThat(accept(SHORT, "1", Set.of("b"))).containsExactly("a");
    }

    @Test
    void aFlappingRegistryCanNotKeepTheDeadAlive() {
        accept("a", "b");
        accept(SHORT, "1", Set.of(), "a");

        for (int i = 0; i < 14; i++) {
            pass(Duration.ofSeconds(1));
            assertThat(accept(SHORT, "1", Set.of(), "a")).containsExactly("a", "b");
        }
        pass(Duration.ofSeconds(2));
        assertThat(accept(SHORT, "1", Set.of(), "a")).containsExactly("a");
    }

    @Test
    void aRegistryThatWasPausedForItsTtlIsDoubtedForAnotherOne() {
        accept("a", "b");

        // It has not yet noticed that its leases have ended.
        assertThat(accept(Duration.ofSeconds(15), "1", Set.of(), "a", "b")).containsExactly("a", "b");
        pass(SHORT);
        assertThat(accept("b")).containsExactly("a", "b");
        assertThat(accept(Duration.ZERO, "1", Set.of("b"))).containsExactly("a");
        pass(Duration.ofSeconds(14));
        assertThat(accept()).containsExactly("a");
        pass(SHORT);
        assertThat(accept()).isEmpty();

        assertThat(accept("a")).containsExactly("a");
        assertThat(accept()).isEmpty();
    }

    @Test
    void aRegistryThatWasNotThereForAMomentIsBelievedAfterItsNextAnswer() {
        accept("a", "b");

        assertThat(accept(SHORT, "1", Set.of(), "a", "b")).containsExactly("a", "b");
        assertThat(accept("b")).containsExactly("b");
    }

    @Test
    void anAddressThatComesBackUnderAnotherIdIsNotTwoInstances() {
        accept("a");
        Instance successor = new Instance("a2", "orders", "127.0.0.1", 8000 + 'a', false, Map.of());

        assertThat(retention.accept(Listing.of(List.of(successor)), SHORT)).containsExactly(successor);
    }

    private static Instance named(String id, String host) {
        return new Instance(id, "orders", host, 8080, false, Map.of());
    }

    /** As it is usual in Consul, where an id is unique in one agent only. */
    @Test
    void instancesOnTwoHostsThatHaveTheSameIdAreTwo() {
        Instance one = named("orders-8080", "10.0.0.1");
        Instance two = named("orders-8080", "10.0.0.2");
        retention.accept(Listing.of(List.of(one, two)), Duration.ZERO);

        assertThat(retention.accept(Listing.of(List.of(one)), SHORT)).containsExactly(one, two);
        assertThat(retention.unconfirmed()).containsExactly(two.address());
    }

    @Test
    void anIdThatComesBackAtAnotherAddressIsNotTwoInstances() {
        retention.accept(Listing.of(List.of(named("chosen", "10.0.0.1"))), Duration.ZERO);
        Instance successor = named("chosen", "10.0.0.2");

        assertThat(retention.accept(Listing.of(List.of(successor)), SHORT)).containsExactly(successor);
    }
}
