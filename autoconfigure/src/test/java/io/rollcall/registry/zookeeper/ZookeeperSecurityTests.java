package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.Resolver.Watch;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A service whose node an administrator has made, with the permissions of docs/zookeeper.md and no others. */
class ZookeeperSecurityTests {

    private static final String PATH = "/services/orders/orders-1";

    private static final Credentials APP = new Credentials("app", "s3cret", null);

    @AutoClose
    private final EmbeddedZookeeper zookeeper = new EmbeddedZookeeper();

    @AutoClose
    private final Registries registries = new Registries();

    private final Instance instance = new Instance("orders-1", "orders", "10.0.0.1", 8080, false, Map.of("zone", "a"));

    private ForeignClient stranger;

    ZookeeperSecurityTests() throws Exception {}

    @BeforeEach
    void administer() throws Exception {
        stranger = new ForeignClient(zookeeper.address());
        try (ForeignClient admin = new ForeignClient(zookeeper.address())) {
            admin.zookeeper().addAuthInfo("digest", "admin:s3cret".getBytes(StandardCharsets.UTF_8));
            ACL all = Ids.CREATOR_ALL_ACL.get(0);
            ACL read = Ids.READ_ACL_UNSAFE.get(0);
            admin.zookeeper().create("/services", null, acl(all, read), CreateMode.PERSISTENT);
            ACL app = new ACL(Perms.CREATE | Perms.DELETE, digest("app:s3cret"));
            admin.zookeeper().create("/services/orders", null, acl(all, read, app), CreateMode.PERSISTENT);
        }
    }

    @AfterEach
    void close() {
        stranger.close();
    }

    private static List<ACL> acl(ACL... entries) {
        return new ArrayList<>(List.of(entries));
    }

    private static Id digest(String userAndPassword) throws NoSuchAlgorithmException {
        return new Id("digest", DigestAuthenticationProvider.generateDigest(userAndPassword));
    }

    private Registry as(Credentials credentials) throws Exception {
        return registries.open(Registries.definition(zookeeper.url(), Registries.TIMING, credentials));
    }

    @Test
    void anApplicationRegistersChangesIsWatchedAndLeaves() throws Exception {
        Registry application = as(APP);
        Registry reader = as(new Credentials(null, null, null));
        RecordingListener listener = new RecordingListener();
        try (Watch watch = Registries.resolver(reader).watch("orders", listener)) {
            assertThat(watch).isNotNull();
            Registries.registrar(application).join(instance);
            Registries.registrar(application).join(instance);
            Registries.registrar(application).join(instance.withMetadata(Map.of("zone", "b")));
            await().until(() -> listener.changes() > 0);

            assertThat(Registries.resolver(reader).lookup("orders").instances())
                    .containsExactly(instance.withMetadata(Map.of("zone", "b")));
            assertThat(Registries.resolver(reader).services()).containsExactly("orders");

            Registries.registrar(application).leave(instance);
            assertThat(Registries.resolver(reader).lookup("orders").instances()).isEmpty();
        }
    }

    @Test
    void aSuccessorReplacesTheNodeOfItsPredecessor() throws Exception {
        Registries.registrar(as(APP)).join(instance);
        Registry successor = as(APP);

        Registries.registrar(successor).join(instance);

        assertThat(stranger.stat(PATH)).isNotNull();
        Registries.registrar(successor).leave(instance);
        assertThat(stranger.stat(PATH)).isNull();
    }

    @Test
    void aStrangerOnlyReads() throws Exception {
        Registries.registrar(as(APP)).join(instance);

        assertThat(stranger.zookeeper().getData(PATH, false, null)).isNotEmpty();
        assertThatExceptionOfType(NoAuthException.class)
                .isThrownBy(() -> stranger.zookeeper().setData(PATH, new byte[0], -1));
        assertThatExceptionOfType(NoAuthException.class)
                .isThrownBy(() -> stranger.zookeeper().delete(PATH, -1));
        assertThatExceptionOfType(NoAuthException.class)
                .isThrownBy(() -> stranger.zookeeper()
                        .create("/services/orders/other", null, Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL));
        assertThatExceptionOfType(NoAuthException.class)
                .isThrownBy(() -> stranger.zookeeper()
                        .create("/services/other", null, Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
    }

    @Test
    void whoHasNoneOrTheWrongPasswordIsRefused() throws Exception {
        for (Credentials other :
                List.of(new Credentials(null, null, null), new Credentials("app", "wrong-s3cret", null))) {
            Registry registry = as(other);

            assertThatExceptionOfType(RefusedException.class)
                    .isThrownBy(() -> Registries.registrar(registry).join(instance))
                    .satisfies(ex -> assertThat(ex.toString()).contains(PATH).doesNotContain("s3cret"));
        }
    }
}
