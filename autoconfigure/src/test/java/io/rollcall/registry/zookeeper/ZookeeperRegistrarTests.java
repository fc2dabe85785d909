package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryUrl;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ZookeeperRegistrarTests {

    private static final String PATH = "/services/orders/orders-1";

    private static EmbeddedZookeeper zookeeper;

    private final Registries registries = new Registries();

    private final Instance instance = instance("10.0.0.1");

    private Registrar registrar;

    private ForeignClient foreign;

    @BeforeAll
    static void start() throws Exception {
        zookeeper = new EmbeddedZookeeper();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @BeforeEach
    void open() throws Exception {
        registrar = Registries.registrar(registries.open(zookeeper.url()));
        foreign = new ForeignClient(zookeeper.address());
    }

    @AfterEach
    void close() throws Exception {
        registries.close();
        foreign.close();
        zookeeper.wipe();
    }

    private static Instance instance(String host) {
        return new Instance("orders-1", "orders", host, 8080, false, Map.of("zone", "a"));
    }

    private static byte[] data(Instance instance) throws RefusedException {
        return new NodeCodec(new Json()).write(instance, 1);
    }

    @Test
    void writesAnEphemeralNode() throws Exception {
        registrar.join(instance);

        assertThat(foreign.stat(PATH).getEphemeralOwner()).isNotZero();
    }

    @Test
    void renewalIsOneRequestAndWritesNothing() throws Exception {
        registrar.join(instance);
        Stat before = foreign.stat(PATH);
        long received = zookeeper.figure("zk_packets_received");

        for (int i = 0; i < 200; i++) {
            registrar.join(instance);
        }

        // Some pings of the open sessions may come between, but not one per renewal.
        assertThat(zookeeper.figure("zk_packets_received") - received).isBetween(200L, 300L);
        assertThat(foreign.stat(PATH)).isEqualTo(before);
    }

    @Test
    void theNodeOfADeadPredecessorIsReplacedWithinItsSession() throws Exception {
        foreign.write(PATH, data(instance));
        long theirs = foreign.stat(PATH).getEphemeralOwner();

        registrar.join(instance);

        assertThat(foreign.stat(PATH).getEphemeralOwner()).isNotIn(theirs, 0L);
        foreign.close();
        try (ForeignClient later = new ForeignClient(zookeeper.address())) {
            assertThat(later.stat(PATH))
                    .as("outlives the predecessor's session")
                    .isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "junk", "{\"address\":\"10.0.0.1\",\"port\":8080,\"enabled\":false}"})
    void aNodeThatNobodyCanCallIsReplaced(String data) throws Exception {
        foreign.write(PATH, data.getBytes(StandardCharsets.UTF_8));

        registrar.join(instance);

        assertThat(foreign.zookeeper().getData(PATH, false, null)).isNotEqualTo(data.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void aPersistentNodeOfOurAddressIsReplacedByAnEphemeralOne() throws Exception {
        foreign.write(PATH, data(instance), CreateMode.PERSISTENT);

        registrar.join(instance);

        assertThat(foreign.stat(PATH).getEphemeralOwner()).isNotZero();
    }

    @Test
    void theIdOfAnotherAddressIsRefused() throws Exception {
        foreign.write(PATH, data(instance("10.0.0.2")));
        Stat before = foreign.stat(PATH);

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registrar.join(instance))
                .withMessageContaining("orders-1")
                .withMessageContaining("10.0.0.2:8080");
        assertThat(foreign.stat(PATH)).isEqualTo(before);
    }

    @Test
    void aNodeWithNodesBelowItIsRefused() throws Exception {
        foreign.write(PATH, data(instance), CreateMode.PERSISTENT);
        foreign.write(PATH + "/child", null);

        assertThatExceptionOfType(RefusedException.class).isThrownBy(() -> registrar.join(instance));
    }

    @Test
    void whatWasDeletedByHandIsPutBack() throws Exception {
        registrar.join(instance);
        foreign.zookeeper().delete(PATH, -1);
        foreign.zookeeper().delete("/services/orders", -1);

        registrar.join(instance);

        assertThat(foreign.stat(PATH)).isNotNull();
    }

    @Test
    void whatWasChangedByHandIsWrittenAgain() throws Exception {
        registrar.join(instance);
        byte[] ours = foreign.zookeeper().getData(PATH, false, null);
        foreign.zookeeper().setData(PATH, new byte[] {1}, -1);

        registrar.join(instance);

        assertThat(foreign.zookeeper().getData(PATH, false, null)).isEqualTo(ours);
    }

    @Test
    void theRegistrationTimeStaysWhenTheMetadataChanges() throws Exception {
        registrar.join(instance);
        Object before = registrationTime();

        registrar.join(instance.withMetadata(Map.of("zone", "b")));

        assertThat(registrationTime()).isEqualTo(before);
    }

    private Object registrationTime() throws Exception {
        return new Json()
                .readObject(foreign.zookeeper().getData(PATH, false, null))
                .get("registrationTimeUTC");
    }

    @Test
    void aNodeOfAnEarlierSessionOfOursIsReplacedAndOutlivesIt() throws Exception {
        try (ForeignClient earlier = new ForeignClient(zookeeper.address())) {
            TwoSessions sessions = new TwoSessions(earlier.zookeeper(), foreign.zookeeper());
            Registrar ours = registrar(sessions);
            ours.join(instance);
            sessions.change();

            ours.join(instance);
        }

        assertThat(foreign.stat(PATH).getEphemeralOwner())
                .isEqualTo(foreign.zookeeper().getSessionId());
    }

    @Test
    void leavingRemovesTheNodeOfAnEarlierSessionOfOurs() throws Exception {
        try (ForeignClient earlier = new ForeignClient(zookeeper.address())) {
            TwoSessions sessions = new TwoSessions(earlier.zookeeper(), foreign.zookeeper());
            Registrar ours = registrar(sessions);
            ours.join(instance);
            sessions.change();

            ours.leave(instance);

            assertThat(foreign.stat(PATH)).isNull();
        }
    }

    private static Registrar registrar(ZookeeperConnection connection) {
        return new ZookeeperRegistrar(
                connection,
                new ServicePaths("/services"),
                new NodeCodec(new Json()),
                new NodeWriter("", Ids.OPEN_ACL_UNSAFE),
                Clock.systemUTC());
    }

    /** A connection whose session ends before the server notices. */
    private static final class TwoSessions implements ZookeeperConnection {

        private final ZooKeeper next;

        private ZooKeeper current;

        TwoSessions(ZooKeeper first, ZooKeeper next) {
            this.current = first;
            this.next = next;
        }

        void change() {
            current = next;
        }

        @Override
        public ZooKeeper session() {
            return current;
        }

        @Override
        public String namespace() {
            return "";
        }

        @Override
        public boolean exclusive() {
            return false;
        }

        @Override
        public void close() {}
    }

    @Test
    void leavingSparesTheNodeOfAnotherProcess() throws Exception {
        registrar.join(instance);
        foreign.zookeeper().delete(PATH, -1);
        foreign.write(PATH, data(instance));

        registrar.leave(instance);

        assertThat(foreign.stat(PATH)).isNotNull();
    }

    @Test
    void allIsBelowTheChrootAndPrefix() throws Exception {
        RegistryDefinition definition = new RegistryDefinition(
                "zk",
                RegistryUrl.parse(zookeeper.url() + "/team-a"),
                Registries.TIMING,
                true,
                true,
                null,
                "discovery/v1/",
                new Credentials(null, null, null),
                null);
        Registry registry = registries.open(definition);

        Registries.registrar(registry).join(instance);

        assertThat(foreign.stat("/team-a/discovery/v1/orders/orders-1")).isNotNull();
        assertThat(Registries.resolver(registry).services()).containsExactly("orders");
    }

    @Test
    void withCredentialsOthersReadTheNodeAndDoNotChangeIt() throws Exception {
        Registry registry = registries.open(
                Registries.definition(zookeeper.url(), Registries.TIMING, new Credentials("user", "secret", null)));

        Registries.registrar(registry).join(instance);

        assertThat(foreign.zookeeper().getData(PATH, false, null)).isNotEmpty();
        assertThatExceptionOfType(NoAuthException.class)
                .isThrownBy(() -> foreign.zookeeper().setData(PATH, new byte[0], -1));
        assertThatNoException().isThrownBy(() -> foreign.write("/services/orders/other", null));
        Registries.registrar(registry).leave(instance);
        assertThat(foreign.stat(PATH)).isNull();
    }

    @Test
    void missingPermissionIsARefusal() throws Exception {
        foreign.write("/services/other", null, CreateMode.PERSISTENT);
        foreign.zookeeper().addAuthInfo("digest", "a:b".getBytes(StandardCharsets.UTF_8));
        foreign.zookeeper().create("/services/orders", null, Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registrar.join(instance))
                .withMessageContaining(PATH);
        foreign.zookeeper().delete("/services/orders", -1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", ".", "..", "a\u0000b", "a\nb", "a\u007f", "a\ud83d\ude00"})
    void namesThatZookeeperCanNotHoldAreToldAtOnce(String name) {
        assertThatIllegalArgumentException().isThrownBy(() -> registrar.checkServiceName(name));
        // No instance has control characters in its id; what else ZooKeeper can not hold, the registrar refuses.
        assertThatThrownBy(() -> registrar.join(new Instance(name, "orders", "10.0.0.1", 80, false, Map.of())))
                .isInstanceOfAny(RefusedException.class, IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "Bücher", "a.b", "...", "a_b:c", "zookeeper"})
    void otherNamesWillDo(String name) throws Exception {
        registrar.checkServiceName(name);
        registrar.join(new Instance("one", name, "10.0.0.1", 80, false, Map.of()));

        assertThat(foreign.stat("/services/" + name + "/one")).isNotNull();
    }
}
