package io.rollcall.registration;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.rollcall.TestApplication;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registries;
import io.rollcall.registry.Registry;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ConfigurableApplicationContext;

/** Host, port, scheme and path that are told to others, beside those that are bound. */
class AdvertisedPortTests {

    private final TestApplication application =
            TestApplication.named("orders").with("rollcall.registries.one.url=" + TestApplication.unique("memory:"));

    private static Instance awaitListed(ConfigurableApplicationContext context, String service) {
        Registry registry = context.getBean(Registries.class).named("one").orElseThrow();
        List<Instance> listed =
                await().until(() -> registry.resolver().lookup(service).instances(), found -> found.size() == 1);
        return listed.get(0);
    }

    private static int port(ConfigurableApplicationContext context) {
        return ((WebServerApplicationContext) context).getWebServer().getPort();
    }

    @Test
    void hostPortAndManagementPortAreAdvertisedEachOnItsOwn() {
        application.with(
                "management.server.port=0",
                "management.server.address=127.0.0.1",
                "rollcall.registries.one.address=203.0.113.7",
                "rollcall.ports.http.port=30080",
                "rollcall.ports.management.enabled=true",
                "rollcall.ports.management.port=30090");
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(awaitListed(context, "orders"))
                    .returns("203.0.113.7", Instance::host)
                    .returns(30080, Instance::port);
            assertThat(awaitListed(context, "orders-management"))
                    .returns("203.0.113.7", Instance::host)
                    .returns(30090, Instance::port);
        }
    }

    @Test
    void aRandomPortWithTlsIsRegisteredAsSecure(@TempDir Path directory) throws Exception {
        Path keys = directory.resolve("keys.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-alias",
                        "test",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-storetype",
                        "PKCS12",
                        "-storepass",
                        "changeit",
                        "-keystore",
                        keys.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(keytool.getInputStream().readAllBytes());
        assertThat(keytool.waitFor()).as(output).isZero();

        try (ConfigurableApplicationContext context = application
                .with("server.ssl.key-store=" + keys, "server.ssl.key-store-password=changeit")
                .start()) {
            Instance instance = awaitListed(context, "orders");
            assertThat(instance).returns(port(context), Instance::port).returns(true, Instance::secure);
            assertThat(instance.uri()).hasScheme("https").hasPort(port(context));
            assertThat(instance.metadata()).containsEntry("scheme", "https").containsEntry("secure", "true");
        }
    }

    @Test
    void theContextPathIsMetadataAndNotPartOfTheUri() {
        try (ConfigurableApplicationContext context =
                application.with("server.servlet.context-path=/shop").start()) {
            Instance instance = awaitListed(context, "orders");
            assertThat(instance.metadata()).containsEntry("contextPath", "/shop");
            assertThat(instance.uri()).hasPath("").hasPort(port(context));
        }
        try (ConfigurableApplicationContext context = application
                .with("spring.webflux.base-path=/reactive")
                .type(WebApplicationType.REACTIVE)
                .start()) {
            assertThat(awaitListed(context, "orders").metadata()).containsEntry("contextPath", "/reactive");
        }
    }

    @Test
    void withoutAContextPathThereIsNoSuchMetadata() {
        try (ConfigurableApplicationContext context = application.start()) {
            assertThat(awaitListed(context, "orders").metadata()).doesNotContainKey("contextPath");
        }
    }

    @Test
    void aSchemeIsTheSameInCapitalLetters() {
        try (ConfigurableApplicationContext context =
                application.with("rollcall.instance.scheme=HTTPS").start()) {
            Instance instance = awaitListed(context, "orders");
            assertThat(instance.uri()).hasScheme("https");
            assertThat(instance.metadata()).containsEntry("scheme", "https").containsEntry("secure", "true");
        }
    }

    @Test
    void aContextThatIsStartedAgainIsRegisteredAtThePortThatIsBoundThen() throws Exception {
        try (ConfigurableApplicationContext context = application.start()) {
            int before = awaitListed(context, "orders").port();
            RollcallServiceRegistry registry = context.getBean(RollcallServiceRegistry.class);
            registry.update(context.getBean(RollcallRegistration.class), metadata -> Map.of("weight", "7"));
            context.stop();
            // Lest the web server is given the same port again.
            try (ServerSocket taken = new ServerSocket(before, 1, InetAddress.getLoopbackAddress())) {
                assertThat(taken.isBound()).isTrue();

                context.start();

                Instance instance = awaitListed(context, "orders");
                assertThat(instance).returns(port(context), Instance::port).returns(7, Instance::weight);
                assertThat(instance.port()).isNotEqualTo(before);
                assertThat(instance.id()).endsWith("-" + instance.port());
            }
        }
    }
}
