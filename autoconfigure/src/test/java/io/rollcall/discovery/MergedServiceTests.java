package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.RollcallProperties.Discovery.Policy;
import io.rollcall.registry.Instance;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.cloud.client.ServiceInstance;

class MergedServiceTests {

    private static Instance instance(String id, int port, Map<String, String> metadata) {
        return new Instance(id, "orders", "127.0.0.1", port, false, metadata);
    }

    private static RegistryView view(String registry, Instance... instances) {
        return RegistryView.pending(registry).answered(List.of(instances), Set.of(), Instant.EPOCH);
    }

    @Test
    void listsAnInstanceOnceWithTheRegistriesThatListIt() {
        MergedService merged = MergedService.of(
                List.of(
                        view("redis", instance("a", 1, Map.of("zone", "x"))),
                        view(
                                "zk",
                                instance("other-id", 1, Map.of("zone", "y", "note", "n")),
                                instance("b", 2, Map.of()))),
                Policy.MERGE);

        assertThat(merged.instances()).hasSize(2);
        RollcallServiceInstance first = merged.instances().get(0);
        assertThat(first.getRegistries()).containsExactly("redis", "zk");
        assertThat(first.getInstanceId()).isEqualTo("a");
        assertThat(first.getMetadata()).containsEntry("zone", "x").containsEntry("note", "n");
        assertThat(merged.instances().get(1).getRegistries()).containsExactly("zk");
    }

    /** A hand-written address, DNS and Java each have a way of their own to write the same one. */
    @ParameterizedTest
    @CsvSource({"fd00::1,fd00:0:0:0:0:0:0:1", "FD00::A,fd00::a", "10.0.0.1,::ffff:10.0.0.1", "Host.example,host.EXAMPLE"
    })
    void anAddressThatIsWrittenInTwoWaysIsOne(String one, String other) {
        MergedService merged = MergedService.of(
                List.of(
                        view("redis", new Instance("a", "orders", one, 1, false, Map.of())),
                        view("zk", new Instance("b", "orders", other, 1, false, Map.of()))),
                Policy.MERGE);

        assertThat(merged.instances()).hasSize(1);
        assertThat(merged.instances().get(0).getRegistries()).containsExactly("redis", "zk");
        assertThat(merged.instances().get(0).instance().host()).isEqualTo(one);
    }

    @Test
    void takesTheFirstRegistryThatHasAny() {
        List<RegistryView> views = List.of(
                view("empty"), view("redis", instance("a", 1, Map.of())), view("zk", instance("b", 2, Map.of())));

        assertThat(MergedService.of(views, Policy.FIRST).instances())
                .extracting(ServiceInstance::getPort)
                .containsExactly(1);
        assertThat(MergedService.of(views, Policy.MERGE).instances()).hasSize(2);
    }

    @Test
    void leavesInstancesWithoutWeightOutOfTheTraffic() {
        MergedService merged = MergedService.of(
                List.of(view(
                        "redis", instance("a", 1, Map.of("weight", "0")), instance("b", 2, Map.of("weight", "0.4")))),
                Policy.MERGE);

        assertThat(merged.instances()).hasSize(2);
        assertThat(merged.routable()).extracting(ServiceInstance::getPort).containsExactly(2);
    }

    @Test
    void theContentHashChangesWithWhatCallersSeeAndOnlyThen() {
        Instance a = instance("a", 1, Map.of("weight", "1"));
        Instance b = instance("b", 2, Map.of());
        long hash = MergedService.of(List.of(view("redis", a, b)), Policy.MERGE).contentHash();

        assertThat(MergedService.of(List.of(view("redis", b, a)), Policy.MERGE).contentHash())
                .isEqualTo(hash);
        assertThat(MergedService.of(List.of(view("redis", a), view("zk", b, a)), Policy.MERGE)
                        .contentHash())
                .isEqualTo(hash);
        assertThat(MergedService.of(List.of(view("redis", a.withMetadata(Map.of("weight", "2")), b)), Policy.MERGE)
                        .contentHash())
                .isNotEqualTo(hash);
        assertThat(MergedService.of(List.of(view("redis", a)), Policy.MERGE).contentHash())
                .isNotEqualTo(hash);
    }

    @Test
    void instancesAreEqualByServiceAndAddress() {
        RollcallServiceInstance one =
                new RollcallServiceInstance(instance("a", 1, Map.of("weight", "1")), List.of("redis"));
        RollcallServiceInstance same = new RollcallServiceInstance(instance("b", 1, Map.of()), List.of("zk"));

        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(one).isNotEqualTo(new RollcallServiceInstance(instance("a", 2, Map.of()), List.of()));
    }

    @Test
    void anIpv6HostIsBracketedInUris() {
        RollcallServiceInstance instance =
                new RollcallServiceInstance(new Instance("a", "orders", "2001:db8::1", 1, true, Map.of()), List.of());

        assertThat(instance.getUri()).hasToString("https://[2001:db8::1]:1");
        assertThat(instance.getHost()).isEqualTo("[2001:db8::1]");
    }
}
