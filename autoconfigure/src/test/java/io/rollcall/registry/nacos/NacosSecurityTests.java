package io.rollcall.registry.nacos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registry;
import io.rollcall.registry.RegistryDefinition.Credentials;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** A server that asks who one is. */
@ExtendWith(OutputCaptureExtension.class)
class NacosSecurityTests {

    private static final NacosServerProcess server = new NacosServerProcess(
            "-Dnacos.core.auth.enabled=true",
            "-Dnacos.core.auth.system.type=test",
            "-Dnacos.core.auth.server.identity.key=test",
            "-Dnacos.core.auth.server.identity.value=test");

    @AutoClose
    private final NacosRegistries registries = new NacosRegistries();

    @BeforeAll
    static void start() {
        server.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private Registry as(String user, String password) {
        return registries.open(server.url(), NacosRegistries.TIMING, new Credentials(user, password, null));
    }

    private static Instance instance(String service) {
        return new Instance("one", service, "10.0.0.1", 8080, false, Map.of());
    }

    @Test
    void logsInAndAgainWhenTheTokenIsNotAcceptedAnyMore(CapturedOutput output) throws Exception {
        Registry registry = as("app", "app-s3cret");
        NacosRegistries.registrar(registry).join(instance("a"));
        assertThat(NacosRegistries.resolver(registry).lookup("a").instances()).hasSize(1);

        server.http("POST", "/test/expire", Map.of());

        NacosRegistries.registrar(registry).join(instance("b"));
        NacosRegistries.resolver(registry).lookup("b");
        NacosRegistries.registrar(registry).leave(instance("a"));
        assertThat(output.getAll()).doesNotContain("s3cret");
    }

    @Test
    void wrongCredentialsAreARefusal() {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() ->
                        NacosRegistries.registrar(as("app", "wrong-s3cret")).join(instance("c")))
                .satisfies(ex ->
                        assertThat(ex.getMessage()).contains("does not accept").doesNotContain("s3cret"));
    }

    @Test
    void aReaderMayNotRegister() throws Exception {
        Registry reader = as("reader", "reader-s3cret");

        assertThat(NacosRegistries.resolver(reader).lookup("d").instances()).isEmpty();
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() -> NacosRegistries.registrar(reader).join(instance("d")));
    }

    @Test
    void withoutCredentialsIsARefusal() {
        assertThatExceptionOfType(RefusedException.class)
                .isThrownBy(() ->
                        NacosRegistries.registrar(registries.open(server.url())).join(instance("e")));
    }
}
