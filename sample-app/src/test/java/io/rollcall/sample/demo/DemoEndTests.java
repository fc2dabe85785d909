package io.rollcall.sample.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class DemoEndTests {

    @Test
    void leavesNeitherServersNorFiles() throws IOException {
        List<RegistryServer> registries;
        try (Demo demo = new Demo("--server.port=0")) {
            demo.start();
            registries = List.copyOf(demo.registries());
            assertThat(registries).hasSize(2).allMatch(DemoEndTests::accepts).allMatch(DemoEndTests::hasFiles);
        }
        assertThat(registries).noneMatch(DemoEndTests::accepts).noneMatch(DemoEndTests::hasFiles);
    }

    @Test
    void leavesNothingWhenStartFails() {
        Demo demo = new Demo("--rollcall.registration.drain-wait=soon");

        assertThatException().isThrownBy(demo::start);

        assertThat(demo.registries())
                .hasSize(2)
                .noneMatch(DemoEndTests::accepts)
                .noneMatch(DemoEndTests::hasFiles);
        assertThat(demo.providers()).allMatch(provider -> provider.address() == null);
    }

    private static boolean hasFiles(RegistryServer registry) {
        return registry.directory().toFile().exists();
    }

    private static boolean accepts(RegistryServer registry) {
        try (Socket socket = new Socket(
                InetAddress.getLoopbackAddress(), URI.create(registry.url()).getPort())) {
            return socket.isConnected();
        } catch (IOException ex) {
            return false;
        }
    }
}
