package io.rollcall.registry.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.rollcall.InvalidConfigurationException;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Registry.Timing;
import io.rollcall.registry.RegistryDefinition;
import io.rollcall.registry.RegistryDefinition.Credentials;
import io.rollcall.registry.RegistryUrl;
import io.rollcall.registry.Resolver;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Type;

class DnsRegistryTests {

    private static final String SRV = "_http._tcp.orders.test.";

    private NameServer server;

    private Registry registry;

    @BeforeEach
    void start() throws IOException {
        server = new NameServer();
    }

    @AfterEach
    void stop() throws IOException {
        if (registry != null) {
            registry.client().close();
        }
        server.close();
    }

    private static RegistryDefinition definition(String url) {
        return new RegistryDefinition(
                "dns",
                RegistryUrl.parse(url),
                new Timing(Duration.ofMillis(200), Duration.ofSeconds(10), Duration.ofSeconds(2)),
                true,
                true,
                null,
                null,
                new Credentials(null, null, null),
                null);
    }

    private Resolver resolver(String hosts, String rest) {
        registry = new DnsRegistryFactory().create(definition("dns://" + hosts + rest));
        return registry.resolver();
    }

    private Resolver services() {
        return resolver("127.0.0.1:" + server.port(), "/test");
    }

    private Resolver addresses() {
        return resolver("127.0.0.1:" + server.port(), "/test?port=8080");
    }

    @Test
    void findsServiceRecordsWithTheirAddressesAndPorts() throws Exception {
        server.put(SRV, Type.SRV, 30, "0 1 8081 one.test.", "0 3 8082 two.test.");
        server.put("one.test.", Type.A, 30, "10.0.0.1");
        server.put("two.test.", Type.AAAA, 20, "fd00::2");

        Listing listing = services().lookup("orders");

        assertThat(listing.instances())
                .extracting(Instance::address)
                .containsExactlyInAnyOrder("10.0.0.1:8081", "[fd00:0:0:0:0:0:0:2]:8082");
        assertThat(listing.instances()).extracting(Instance::service).containsOnly("orders");
        assertThat(listing.rejected()).isEmpty();
    }

    @Test
    void onlyTheBestPriorityGetsTraffic() throws Exception {
        server.put(SRV, Type.SRV, 30, "10 5 8081 one.test.", "20 5 8082 one.test.");
        server.put("one.test.", Type.A, 30, "10.0.0.1");

        Listing listing = services().lookup("orders");

        assertThat(listing.instances())
                .allSatisfy(instance -> assertThat(instance.weight() > 0).isEqualTo(instance.port() == 8081));
    }

    @Test
    void aTargetWithoutAnAddressHidesNoOther() throws Exception {
        server.put(SRV, Type.SRV, 30, "0 1 8081 one.test.", "0 1 8082 missing.test.");
        server.put("one.test.", Type.A, 30, "10.0.0.1");

        Listing listing = services().lookup("orders");

        assertThat(listing.instances()).extracting(Instance::port).containsExactly(8081);
        assertThat(listing.rejected()).hasSize(1);
    }

    @Test
    void findsAddressesForAGivenPort() throws Exception {
        server.put("orders.test.", Type.A, 30, "10.0.0.1", "10.0.0.2");

        assertThat(addresses().lookup("orders").instances())
                .extracting(Instance::address)
                .containsExactlyInAnyOrder("10.0.0.1:8080", "10.0.0.2:8080");
    }

    @Test
    void whatDoesNotFitIntoOnePacketIsReadByTcp() throws Exception {
        server.put("orders.test.", Type.A, 30, "10.0.0.1");
        server.truncates();

        assertThat(addresses().lookup("orders").instances()).hasSize(1);
    }

    @Test
    void aNameThatDoesNotExistIsAnEmptyList() throws Exception {
        assertThat(addresses().lookup("nobody").instances()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "..", "a b", "ä_ö", "x{y}z", "*", ""})
    void aNameThatIsNoneIsAnEmptyListAndNotAskedFor(String name) throws Exception {
        assertThat(addresses().lookup(name).instances()).isEmpty();
        assertThat(server.questions()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {Rcode.SERVFAIL, Rcode.REFUSED})
    void aServerThatDoesNotKnowIsAFailureAndNoEmptyList(int code) {
        server.answersWith(code);
        Resolver resolver = addresses();

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> resolver.lookup("orders"))
                .withMessageContaining(Rcode.string(code));
    }

    @Test
    void aServerThatIsSilentIsPassedOver() throws Exception {
        try (NameServer silent = new NameServer()) {
            silent.silent(true);
            server.put("orders.test.", Type.A, 30, "10.0.0.1");
            Resolver resolver =
                    resolver("127.0.0.1:" + silent.port() + ",127.0.0.1:" + server.port(), "/test?port=8080");

            assertThat(resolver.lookup("orders").instances()).hasSize(1);
        }
    }

    @Test
    void aWatchTellsOfOtherRecordsWhenTheLastOnesHaveEnded() throws Exception {
        server.put("orders.test.", Type.A, 1, "10.0.0.1");
        Resolver resolver = addresses();
        AtomicInteger changes = new AtomicInteger();
        resolver.watch("orders", new Resolver.WatchListener() {
            @Override
            public void changed() {
                changes.incrementAndGet();
            }

            @Override
            public void lost(Exception cause) {
                throw new IllegalStateException(cause);
            }
        });
        assertThat(resolver.lookup("orders").instances()).hasSize(1);
        assertThat(resolver.services()).containsExactly("orders");

        server.put("orders.test.", Type.A, 1, "10.0.0.1", "10.0.0.2");

        await().until(() -> changes.get() > 0);
        await().until(() -> resolver.lookup("orders").instances().size() == 2);
    }

    @Test
    void aWatchOutlivesAnswersThatAreFailures() throws Exception {
        server.put("orders.test.", Type.A, 1, "10.0.0.1");
        Resolver resolver = addresses();
        AtomicInteger changes = new AtomicInteger();
        resolver.watch("orders", new Resolver.WatchListener() {
            @Override
            public void changed() {
                changes.incrementAndGet();
            }

            @Override
            public void lost(Exception cause) {
                throw new IllegalStateException(cause);
            }
        });
        server.answersWith(Rcode.SERVFAIL);
        await().until(() -> changes.get() == 1);

        server.answersWith(Rcode.NOERROR);
        server.put("orders.test.", Type.A, 1, "10.0.0.1", "10.0.0.2");

        await().until(() -> changes.get() > 1);
        int before = changes.get();
        server.put("orders.test.", Type.A, 1, "10.0.0.3");
        await().until(() -> changes.get() > before);
        await().until(() -> resolver.lookup("orders").instances().size() == 1);
    }

    @Test
    void recordsOfAWatchedServiceAreNotAskedForAgainBeforeTheyEnd() throws Exception {
        server.put("orders.test.", Type.A, 3600, "10.0.0.1");
        Resolver resolver = addresses();
        resolver.watch("orders", new Resolver.WatchListener() {
            @Override
            public void changed() {}

            @Override
            public void lost(Exception cause) {
                throw new IllegalStateException(cause);
            }
        });
        int before = server.questions();

        for (int i = 0; i < 10; i++) {
            assertThat(resolver.lookup("orders").instances()).hasSize(1);
        }

        assertThat(server.questions()).isEqualTo(before);
    }

    @Test
    void onlyReads() {
        addresses();

        assertThat(registry.registrar()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dns://127.0.0.1/test?type=mx",
                "dns://127.0.0.1/test?type=a",
                "dns://127.0.0.1/test?port=0",
                "dns://127.0.0.1/test?port=70000",
                "dns://127.0.0.1/test?type=srv&port=80",
                "dns://127.0.0.1/test?color=red",
                "dns://127.0.0.1/test?scheme=ftp",
                "dns://127.0.0.1/a_b..c"
            })
    void aBadUrlIsRefusedAndNamesTheProperty(String url) {
        assertThatExceptionOfType(InvalidConfigurationException.class)
                .isThrownBy(() -> new DnsRegistryFactory().create(definition(url)))
                .withMessageContaining("rollcall.registries.dns.url");
    }
}
