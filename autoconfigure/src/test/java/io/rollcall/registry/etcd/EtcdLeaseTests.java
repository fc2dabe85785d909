package io.rollcall.registry.etcd;

import static io.rollcall.registry.etcd.EtcdClients.instance;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.etcd.EtcdClients.Listener;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Whose entries are, and what becomes of them when leases end. */
class EtcdLeaseTests {

    private static final String KEY = "/orders/10.0.0.1:8081";

    private static final Timing SHORT = new Timing(Duration.ofSeconds(1), Duration.ofSeconds(1), Duration.ofSeconds(3));

    @AutoClose
    private static final EtcdServerProcess server = EtcdServerProcess.running();

    @AutoClose
    private final ForeignEtcd foreign = new ForeignEtcd(server.port());

    @AutoClose
    private final EtcdClients clients = new EtcdClients();

    private final Registry registry = clients.registry(server.url());

    private final Registrar registrar = registry.registrar();

    @AfterEach
    void empty() {
        foreign.deleteAll();
    }

    private void join() throws Exception {
        registrar.join(instance("orders", 8081));
    }

    private long lease() {
        return foreign.get(KEY).getLease();
    }

    @Test
    void everyKeyIsBoundToALease() throws Exception {
        join();

        assertThat(foreign.all())
                .hasSize(2)
                .allSatisfy(entry -> assertThat(foreign.ttl(entry.getLease())).isPositive());
        assertThat(foreign.ttl(lease())).isBetween(1L, 15L);
    }

    @Test
    void renewingKeepsTheLeaseAndWritesNothing() throws Exception {
        join();
        long revision = foreign.get(KEY).getModRevision();
        long lease = lease();

        join();
        join();

        assertThat(foreign.get(KEY).getModRevision()).isEqualTo(revision);
        assertThat(lease()).isEqualTo(lease);
    }

    @Test
    void anInstanceThatIsNotRenewedIsGoneAfterItsTtl() throws Exception {
        Listener listener = new Listener();
        registry.resolver().watch("orders", listener);
        clients.registry(server.url(), SHORT).registrar().join(instance("orders", 8081));
        await().until(() -> listener.changes.get() > 0);
        int before = listener.changes.get();

        await().atMost(Duration.ofSeconds(30)).until(() -> foreign.get(KEY) == null);

        await().until(() -> listener.changes.get() > before);
        assertThat(registry.resolver().lookup("orders").instances()).isEmpty();
    }

    @Test
    void manyLostLeasesLeaveNothingBehind() throws Exception {
        Listener listener = new Listener();
        registry.resolver().watch("orders", listener);
        join();
        foreign.revoke(lease());
        join();
        Set<Long> leases = Set.copyOf(foreign.allLeases());
        long threads = ownThreads();

        for (int i = 0; i < 50; i++) {
            int before = listener.changes.get();
            foreign.revoke(lease());
            assertThat(foreign.get(KEY)).isNull();
            join();
            assertThat(foreign.get(KEY)).isNotNull();
            await().until(() -> listener.changes.get() > before);
        }

        // One of ours; those of other tests end in their own time.
        assertThat(foreign.allLeases())
                .filteredOn(lease -> !leases.contains(lease))
                .hasSize(1);
        await().untilAsserted(() -> assertThat(ownThreads()).isLessThanOrEqualTo(threads));
    }

    private static long ownThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rollcall-etcd-"))
                .count();
    }

    @Test
    void anEntryThatWasDeletedOrChangedByHandIsPutRight() throws Exception {
        join();
        long lease = lease();
        foreign.delete(KEY);

        join();

        assertThat(lease()).isEqualTo(lease);
        foreign.put(KEY, "by hand");
        join();
        assertThat(lease()).isEqualTo(lease);
        assertThat(registry.resolver().lookup("orders").instances()).hasSize(1);
    }

    @Test
    void aSuccessorsEntryOutlivesTheLeaseOfItsDeadPredecessor() throws Exception {
        clients.registry(server.url(), SHORT).registrar().join(instance("orders", 8081));
        long dead = lease();

        join();

        assertThat(lease()).isNotEqualTo(dead);
        await().atMost(Duration.ofSeconds(30)).until(() -> !foreign.allLeases().contains(dead));
        assertThat(foreign.get(KEY)).isNotNull();
    }

    @Test
    void anEntryThatNobodyRenewsIsReplaced() throws Exception {
        foreign.put(KEY, "{\"Addr\":\"10.0.0.1:8081\"}");

        join();

        assertThat(lease()).isNotZero();
    }

    @Test
    void nothingCanBeWrittenUnderTheLeaseOfAnInstanceThatHasLeft() throws Exception {
        join();
        long lease = lease();

        registrar.leave(instance("orders", 8081));

        // As a write that was held up on its way would try.
        assertThatException()
                .isThrownBy(() -> foreign.put(KEY, EtcdKeys.bytes("late"), lease))
                .withMessageContaining("lease not found");
        assertThat(foreign.get(KEY)).isNull();
        assertThat(foreign.allLeases()).doesNotContain(lease);
    }

    @Test
    void changesAreWrittenUnderTheSameLease() throws Exception {
        join();
        long lease = lease();

        registrar.join(instance("orders", 8081).withMetadata(Map.of("weight", "0")));

        assertThat(lease()).isEqualTo(lease);
        assertThat(foreign.get(KEY).getValue().toStringUtf8()).contains("\"weight\":\"0\"");
    }

    @Test
    void saysWhichServiceNamesItCanNotHold() {
        registrar.checkServiceName("ä b_c*:.");

        for (String name : new String[] {" ", "a/b", "/"}) {
            assertThatIllegalArgumentException().as(name).isThrownBy(() -> registrar.checkServiceName(name));
        }
    }
}
