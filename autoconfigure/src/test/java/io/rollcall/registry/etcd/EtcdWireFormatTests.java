package io.rollcall.registry.etcd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.entry;

import com.google.protobuf.ByteString;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.Resolver;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.json.JsonParserFactory;

/** What others read of ours, and what we read of theirs. */
class EtcdWireFormatTests {

    @AutoClose
    private static final EtcdServerProcess server = EtcdServerProcess.running();

    @AutoClose
    private final ForeignEtcd foreign = new ForeignEtcd(server.port());

    @AutoClose
    private final EtcdClients clients = new EtcdClients();

    private final Registry registry = clients.registry(server.url());

    private final Resolver resolver = registry.resolver();

    @AfterEach
    void empty() {
        foreign.deleteAll();
    }

    private Registry withPrefix(String prefix) {
        return clients.registry(EtcdClients.definition("etcd", server.url(), EtcdClients.TIMING, prefix, null));
    }

    @Test
    void writesWhatReadersOfGrpcExpect() throws Exception {
        registry.registrar()
                .join(new Instance(
                        "one", "orders", "10.0.0.1", 8081, true, Map.of("zone", "a", "note", "grüße \"x\"")));

        assertThat(foreign.get("/orders/10.0.0.1:8081").getValue().toStringUtf8())
                .isEqualTo(
                        "{\"Op\":0,\"Addr\":\"10.0.0.1:8081\",\"ServerName\":\"orders\",\"Attributes\":null,\"Type\":0,"
                                + "\"Metadata\":{\"note\":\"grüße \\\"x\\\"\",\"zone\":\"a\"},\"Id\":\"one\",\"Secure\":true}");
    }

    @Test
    void refusesWhatItWouldNotReadBackForItsLength() {
        Instance instance =
                new Instance("one", "orders", "10.0.0.1", 8081, true, Map.of("note", "x".repeat(Json.MAX_BYTES)));

        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> registry.registrar().join(instance))
                .withMessageContaining("give it less metadata");
    }

    /** By the rules of etcd's client/v3/naming: keys "target/...", fields by their name in any case, Op ignored. */
    @Test
    void aGrpcClientFindsOurs() throws Exception {
        withPrefix("").registrar().join(new Instance("one", "orders", "::1", 8081, false, Map.of("zone", "a")));

        Map<String, Object> update = JsonParserFactory.getJsonParser()
                .parseMap(foreign.get("orders/[::1]:8081").getValue().toStringUtf8());

        assertThat(update)
                .contains(entry("Addr", "[::1]:8081"), entry("Metadata", Map.of("zone", "a")), entry("Op", 0));
        assertThat(update.get("Type")).isEqualTo(0);
        assertThat(update.get("ServerName")).isEqualTo("orders");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\0',
            value = {
                // As etcd's client/v3/naming writes it.
                "{\"Op\":0,\"Addr\":\"10.0.0.2:80\",\"Metadata\":null} | orders-10.0.0.2-80 | 10.0.0.2 | 80 | false",
                "{\"Addr\":\"10.0.0.2:80\"}                         | orders-10.0.0.2-80 | 10.0.0.2 | 80 | false",
                "{\"addr\":\"10.0.0.2:80\",\"metadata\":\"text\"}   | orders-10.0.0.2-80 | 10.0.0.2 | 80 | false",
                "{\"Addr\":\"[fe80::1]:80\"}                        | orders-fe80::1-80  | fe80::1  | 80 | false",
                "{\"Addr\":\"https://h.example:443\"}               | orders-h.example-443 | h.example | 443 | true",
                "10.0.0.2:80                                        | orders-10.0.0.2-80 | 10.0.0.2 | 80 | false"
            })
    void readsWhatOthersWrite(String value, String id, String host, int port, boolean secure) throws Exception {
        foreign.put("/orders/one", value);

        Listing listing = resolver.lookup("orders");

        assertThat(listing.rejected()).isEmpty();
        assertThat(listing.instances()).containsExactly(new Instance(id, "orders", host, port, secure, Map.of()));
        assertThat(listing.incarnation()).isNotNull();
        assertThat(resolver.services()).containsExactly("orders");
    }

    /** Keys and values as ego's eetcd registry writes them. */
    @Test
    void readsEgo() throws Exception {
        String value =
                "{\"name\":\"orders\",\"scheme\":\"http\",\"address\":\"10.0.0.2:9001\",\"weight\":50,\"enable\":true,"
                        + "\"healthy\":true,\"metadata\":{\"appVersion\":\"1\"},\"region\":\"r\",\"zone\":\"z\",\"kind\":1,"
                        + "\"deployment\":\"\",\"group\":\"\",\"services\":{}}";
        foreign.put("/ego/orders/providers/http://10.0.0.2:9001", value);
        foreign.put(
                "/ego/orders/providers/grpc://10.0.0.2:9002",
                value.replace("9001", "9002").replace("\"enable\":true", "\"enable\":false"));
        foreign.put("/ego/orders/configurators/http:///routes/1", "{\"upstream\":{}}");
        Resolver ego = withPrefix("/ego").resolver();

        Listing listing = ego.lookup("orders");

        assertThat(listing.rejected()).isEmpty();
        assertThat(listing.instances()).singleElement().satisfies(instance -> {
            assertThat(instance.address()).isEqualTo("10.0.0.2:9001");
            assertThat(instance.weight()).isEqualTo(50);
            assertThat(instance.metadata())
                    .contains(entry("zone", "z"), entry("region", "r"), entry("appVersion", "1"));
        });
        assertThat(ego.services()).containsExactly("orders");
    }

    @Test
    void whatIsMarkedAsDeletedIsNotListed() throws Exception {
        foreign.put("/orders/10.0.0.2:80", "{\"Op\":1,\"Addr\":\"10.0.0.2:80\"}");

        assertThat(resolver.lookup("orders").instances()).isEmpty();
        assertThat(resolver.lookup("orders").rejected()).isEmpty();
    }

    @Test
    void badEntriesAreReportedAndTheGoodOnesListed() throws Exception {
        Instance good = EtcdClients.instance("orders", 8081);
        registry.registrar().join(good);
        List<String> bad = List.of(
                "x",
                "[]",
                "null",
                "5",
                "{}",
                "{\"Addr\":7}",
                "{\"Addr\":\"h\"}",
                "{\"Addr\":\"h:99999\"}",
                "{\"Addr\":\"a/b:1\"}",
                "{\"Addr\":\"h:1\",\"Op\":7}",
                "{\"Addr\":\"h:1\",\"Op\":\"x\"}",
                "{\"Addr\":",
                "");
        for (int i = 0; i < bad.size(); i++) {
            foreign.put("/orders/bad-" + i, bad.get(i));
        }
        foreign.put("/orders/bad-bytes", ByteString.copyFrom(new byte[] {(byte) 0xff, 0}), 0);

        Listing listing = resolver.lookup("orders");

        assertThat(listing.instances()).containsExactly(good);
        assertThat(listing.rejected())
                .hasSize(bad.size() + 1)
                .allSatisfy(record -> assertThat(record.reason()).isNotBlank())
                .extracting(RejectedRecord::key)
                .allSatisfy(key -> assertThat(key).startsWith("/orders/bad-"));
    }

    @Test
    void entriesThatAreLongerThanAnAnswerMayBeHideNothing() throws Exception {
        Instance good = EtcdClients.instance("orders", 8081);
        registry.registrar().join(good);
        byte[] huge = new byte[1_400_000];
        Arrays.fill(huge, (byte) '[');
        for (int i = 0; i < 4; i++) {
            foreign.put("/orders/huge-" + i, ByteString.copyFrom(huge), 0);
        }

        Listing listing = resolver.lookup("orders");

        assertThat(listing.instances()).containsExactly(good);
        assertThat(listing.rejected()).hasSize(4);
        assertThat(listing.incarnation()).isNotNull();
    }

    @Test
    void servicesOfOneNameDoNotContainThoseOfALongerOne() throws Exception {
        registry.registrar().join(EtcdClients.instance("orders", 8081));
        registry.registrar().join(EtcdClients.instance("orders-archive", 8082));

        assertThat(resolver.lookup("orders").instances()).hasSize(1);
        assertThat(resolver.services()).containsExactlyInAnyOrder("orders", "orders-archive");
    }

    @Test
    void namesAreFoundAmongManyKeysAndOnesThatAreNone() throws Exception {
        IntStream.range(0, 1500).forEach(i -> foreign.put("/many/10.0.0.1:" + i, "x"));
        foreign.put("/registry/pods/default/one", "kubernetes");
        foreign.put("/lonely", "x");
        foreign.put("/lonely/", "x");
        foreign.put("/zebra/10.0.0.1:80", "10.0.0.1:80");

        assertThat(resolver.services()).containsExactlyInAnyOrder("many", "zebra");
    }

    @Test
    void prefixesKeepRegistriesApart() throws Exception {
        withPrefix("/team-a").registrar().join(EtcdClients.instance("orders", 8081));

        assertThat(foreign.get("/team-a/orders/10.0.0.1:8081")).isNotNull();
        assertThat(withPrefix("/team-a/").resolver().lookup("orders").instances())
                .hasSize(1);
        assertThat(withPrefix("/team-b").resolver().services()).isEmpty();
        assertThat(resolver.lookup("orders").instances()).isEmpty();
    }
}
