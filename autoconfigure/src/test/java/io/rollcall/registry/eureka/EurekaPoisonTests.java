package io.rollcall.registry.eureka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Resolver;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What others have registered, well or badly. */
class EurekaPoisonTests {

    private final EurekaServerProcess server = EurekaServerProcess.shared();

    @AutoClose
    private final Registries registries = new Registries();

    private final Resolver resolver = registries.resolver(server.url());

    private final String service = "mail-" + UUID.randomUUID();

    private void register(String id, String more) {
        server.send(
                "POST",
                "/apps/" + EurekaServer.application(service),
                "{\"instance\":{\"instanceId\":\"" + id + "\",\"app\":\"" + EurekaServer.application(service)
                        + "\",\"dataCenterInfo\":{\"@class\":\"com.netflix.appinfo.InstanceInfo$DefaultDataCenterInfo\","
                        + "\"name\":\"MyOwn\"}," + more + "}}");
    }

    @Test
    void oneBadRecordHidesNoOther() throws Exception {
        String good = "\"ipAddr\":\"10.0.0.1\",\"vipAddress\":\"mail\",\"status\":\"UP\",\"port\":{\"$\":8080,"
                + "\"@enabled\":\"true\"}";
        register("plain", "\"hostName\":\"10.0.0.1\"," + good);
        register("no-id-of-its-service", "\"hostName\":\"10.0.0.2\"," + good + ",\"metadata\":{\"@class\":\"x\"}");
        register("bad-host", "\"hostName\":\"a/b?c\"," + good);
        register("port-zero", "\"hostName\":\"10.0.0.3\"," + good.replace("8080", "0"));
        register("port-huge", "\"hostName\":\"10.0.0.4\"," + good.replace("8080", "80800"));
        register("starting", "\"hostName\":\"10.0.0.5\"," + good.replace("UP", "STARTING"));

        Listing listing = resolver.lookup(service);

        assertThat(listing.instances())
                .extracting(Instance::address)
                .containsExactlyInAnyOrder("10.0.0.1:8080", "10.0.0.2:8080");
        assertThat(listing.instances())
                .allSatisfy(instance -> assertThat(instance.metadata()).isEmpty());
        assertThat(listing.rejected())
                .extracting(record -> record.key().substring(record.key().indexOf('/') + 1))
                .containsExactlyInAnyOrder("bad-host", "port-zero", "port-huge");
        assertThat(listing.left()).containsExactly("starting");
    }

    @Test
    void oneInstanceMayStandWithoutItsArray() {
        InstanceCodec codec = new InstanceCodec(new Json());
        String instance = "{\"hostName\":\"[fd00::1]\",\"port\":{\"$\":\"8080\",\"@enabled\":true},\"status\":\"UP\"}";

        assertThat(codec.application(bytes("{\"application\":{\"name\":\"MAIL\",\"instance\":" + instance + "}}")))
                .singleElement()
                .satisfies(record -> {
                    Instance read = InstanceCodec.read("mail", record);
                    assertThat(read.id()).isEqualTo("fd00::1");
                    assertThat(read.address()).isEqualTo("[fd00::1]:8080");
                    assertThat(read.secure()).isFalse();
                });
        assertThat(codec.applications(bytes("{\"applications\":{\"versions__delta\":\"1\",\"application\":"
                        + "{\"name\":\"MAIL\",\"instance\":" + instance + "}}}")))
                .singleElement()
                .satisfies(application -> assertThat(application.instances()).hasSize(1));
        assertThat(codec.applications(bytes("{\"applications\":{\"application\":[]}}")))
                .isEmpty();
        assertThat(codec.applications(bytes("{}"))).isEmpty();
    }

    @Test
    void whatIsNoJsonIsAFailure() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new InstanceCodec(new Json()).application(bytes("<html>")));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
