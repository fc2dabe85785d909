package io.rollcall.registry.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import io.rollcall.registry.Registry;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** One bad node hides nothing else. */
class PoisonNodesTests {

    private static EmbeddedZookeeper zookeeper;

    private final Registries registries = new Registries();

    @BeforeAll
    static void start() throws Exception {
        zookeeper = new EmbeddedZookeeper();
    }

    @AfterAll
    static void stop() {
        zookeeper.close();
    }

    @AfterEach
    void close() throws Exception {
        registries.close();
        zookeeper.wipe();
    }

    @Test
    void badNodesAreReportedAndTheGoodOnesListed() throws Exception {
        Registry registry = registries.open(zookeeper.url());
        Registries.registrar(registry)
                .join(new Instance("good", "orders", "10.0.0.1", 8080, false, Map.of("zone", "a")));
        List<String> texts =
                List.of("x", "[]", "null", "5", "{}", "{\"address\":7,\"port\":\"p\"}", "{\"a\":", "\u0000");
        byte[] huge = new byte[1_000_000];
        Arrays.fill(huge, (byte) '[');

        Listing listing;
        try (ForeignClient foreign = new ForeignClient(zookeeper.address())) {
            for (int i = 0; i < texts.size(); i++) {
                foreign.write("/services/orders/bad-" + i, texts.get(i).getBytes(StandardCharsets.UTF_8));
            }
            foreign.write("/services/orders/bad-none", null);
            foreign.write("/services/orders/bad-empty", new byte[0]);
            foreign.write("/services/orders/bad-huge", huge);
            foreign.write("/services/orders/bad-huger", huge);
            foreign.write(
                    "/services/orders/foreign",
                    "{\"address\":\"10.0.0.2\",\"port\":80,\"payload\":{\"@class\":\"com.example.Unknown\"}}"
                            .getBytes(StandardCharsets.UTF_8));
            listing = Registries.resolver(registry).lookup("orders");
        }

        assertThat(listing.instances()).extracting(Instance::id).containsExactlyInAnyOrder("good", "foreign");
        assertThat(listing.rejected())
                .hasSize(texts.size() + 4)
                .allSatisfy(record -> assertThat(record.reason()).isNotBlank())
                .extracting(RejectedRecord::key)
                .allSatisfy(key -> assertThat(key).startsWith("/services/orders/bad-"));
    }

    @Test
    void aNodeThatMayNotBeReadIsReported() throws Exception {
        Registry registry = registries.open(zookeeper.url());
        Registries.registrar(registry).join(new Instance("good", "orders", "10.0.0.1", 8080, false, Map.of()));

        Listing listing;
        try (ForeignClient foreign = new ForeignClient(zookeeper.address())) {
            foreign.zookeeper().addAuthInfo("digest", "a:b".getBytes(StandardCharsets.UTF_8));
            foreign.zookeeper()
                    .create("/services/orders/secret", new byte[0], Ids.CREATOR_ALL_ACL, CreateMode.EPHEMERAL);
            foreign.zookeeper().create("/services/closed", new byte[0], Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
            listing = Registries.resolver(registry).lookup("orders");
            assertThat(Registries.resolver(registry).services()).containsExactly("orders");
            foreign.zookeeper().delete("/services/closed", -1);
        }

        assertThat(listing.instances()).extracting(Instance::id).containsExactly("good");
        assertThat(listing.rejected())
                .containsExactly(new RejectedRecord("/services/orders/secret", "no permission to read it"));
    }

    @Test
    void serviceNodesOfOddNamesAndWithDataDoNoHarm() throws Exception {
        Registry registry = registries.open(zookeeper.url());
        Registries.registrar(registry).join(new Instance("good", "orders", "10.0.0.1", 8080, false, Map.of()));

        try (ForeignClient foreign = new ForeignClient(zookeeper.address())) {
            foreign.write("/services/lonely", new byte[] {1, 2, 3}, CreateMode.PERSISTENT);
            foreign.write("/services/a b%2F ü", null, CreateMode.PERSISTENT);
            foreign.write("/services/a b%2F ü/one", null);

            assertThat(Registries.resolver(registry).services()).containsExactlyInAnyOrder("orders", "a b%2F ü");
        }
    }
}
