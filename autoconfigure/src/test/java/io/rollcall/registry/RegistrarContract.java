package io.rollcall.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What every {@link Registrar} must do, whatever the registry. Extend it for a registry of your own; it needs a real one.
 */
public abstract class RegistrarContract {

    private final String service = "orders-" + UUID.randomUUID();

    /** A new registrar as another process would have it; closed by the test class. */
    protected abstract Registrar newRegistrar() throws Exception;

    /** A resolver of the same registry. */
    protected abstract Resolver resolver() throws Exception;

    /** Makes the registry forget everything, as after a restart without its data. */
    protected abstract void wipe() throws Exception;

    /** Whether a registrar puts its instances back as soon as it notices, without waiting for the next join. */
    protected boolean restoresByItself() {
        return false;
    }

    protected final Instance instance(String id, int port) {
        return new Instance(
                id, service, "127.0.0.1", port, false, Map.of("zone", "a", "weight", "100", "note", "grüße \"x\""));
    }

    private List<Instance> listed() throws Exception {
        return resolver().lookup(service).instances();
    }

    @Test
    void listsWhatHasJoinedWithAllOfItsContent() throws Exception {
        Instance instance = instance("one", 8081);

        newRegistrar().join(instance);

        assertThat(listed()).singleElement().satisfies(found -> {
            assertThat(found.id()).isEqualTo("one");
            assertThat(found.service()).isEqualTo(service);
            assertThat(found.address()).isEqualTo("127.0.0.1:8081");
            assertThat(found.secure()).isFalse();
            assertThat(found.metadata()).containsAllEntriesOf(instance.metadata());
        });
    }

    @Test
    void tellsWhetherItIsCalledByTls() throws Exception {
        newRegistrar().join(new Instance("tls", service, "127.0.0.1", 8443, true, Map.of()));

        assertThat(listed())
                .singleElement()
                .satisfies(found -> assertThat(found.secure()).isTrue());
    }

    @Test
    void joiningAgainChangesNothing() throws Exception {
        Registrar registrar = newRegistrar();

        for (int i = 0; i < 3; i++) {
            registrar.join(instance("one", 8081));
        }

        assertThat(listed()).hasSize(1);
    }

    @Test
    void joiningWithOtherMetadataUpdates() throws Exception {
        Registrar registrar = newRegistrar();
        registrar.join(instance("one", 8081));

        registrar.join(instance("one", 8081).withMetadata(Map.of("weight", "0")));

        assertThat(listed()).singleElement().satisfies(found -> {
            assertThat(found.weight()).isZero();
            assertThat(found.metadata()).doesNotContainKey("zone");
        });
    }

    @Test
    void leavingRemovesThatInstanceAlone() throws Exception {
        Registrar registrar = newRegistrar();
        registrar.join(instance("one", 8081));
        registrar.join(instance("two", 8082));

        registrar.leave(instance("one", 8081));

        assertThat(listed()).extracting(Instance::id).containsExactly("two");
    }

    @Test
    void leavingTwiceOrWithoutHavingJoinedIsNoError() throws Exception {
        Registrar registrar = newRegistrar();
        registrar.join(instance("one", 8081));
        registrar.leave(instance("one", 8081));

        assertThatCode(() -> registrar.leave(instance("one", 8081))).doesNotThrowAnyException();
        assertThatCode(() -> registrar.leave(instance("never", 8082))).doesNotThrowAnyException();
        assertThat(listed()).isEmpty();
    }

    @Test
    void canJoinAgainAfterLeaving() throws Exception {
        Registrar registrar = newRegistrar();
        registrar.join(instance("one", 8081));
        registrar.leave(instance("one", 8081));

        registrar.join(instance("one", 8081));

        assertThat(listed()).hasSize(1);
    }

    @Test
    void successorTakesTheEntryOverAndItsPredecessorCanNotRemoveIt() throws Exception {
        Registrar predecessor = newRegistrar();
        predecessor.join(instance("one", 8081));
        newRegistrar().join(instance("one", 8081));

        predecessor.leave(instance("one", 8081));

        assertThat(listed()).extracting(Instance::id).containsExactly("one");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a_b", "a.b", "a b", "a:b", "a@b", "a/b", "../b", "a%2Fb", "a?b", "a{b}", "B\u00fccher", "\u672c"
            })
    void aNameIsHeldOrRefusedButNeverHarms(String part) throws Exception {
        assertHeldOrRefused(part + "-" + service);
    }

    @Test
    void aLongNameIsHeldOrRefusedButNeverHarms() throws Exception {
        assertHeldOrRefused("x".repeat(200 - service.length()) + service);
    }

    /** What it says that it can hold, it holds; and who looks for what it can not hold finds nothing, without a failure. */
    private void assertHeldOrRefused(String name) throws Exception {
        Registrar registrar = newRegistrar();
        Instance named = new Instance("named", name, "127.0.0.1", 8081, false, Map.of());
        boolean held = true;
        try {
            registrar.checkServiceName(name);
        } catch (IllegalArgumentException ex) {
            held = false;
            assertThat(ex.getMessage()).isNotBlank();
        }
        if (held) {
            registrar.join(named);
            assertThat(resolver().lookup(name).instances())
                    .singleElement()
                    .satisfies(found -> assertThat(found.service()).isEqualTo(name));
            registrar.leave(named);
        }
        assertThat(resolver().lookup(name).instances()).isEmpty();
        registrar.join(instance("one", 8081));
        assertThat(listed()).extracting(Instance::id).containsExactly("one");
    }

    @Test
    void joiningPutsBackWhatTheRegistryHasForgotten() throws Exception {
        Registrar registrar = newRegistrar();
        registrar.join(instance("one", 8081));
        wipe();
        if (!restoresByItself()) {
            assertThat(listed()).isEmpty();
        }

        registrar.join(instance("one", 8081));

        assertThat(listed()).extracting(Instance::id).containsExactly("one");
    }
}
