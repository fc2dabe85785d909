package io.rollcall.registration;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.TestApplication;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.ConfigurableApplicationContext;

/** An application that has left the registries goes on answering, and has callers give up their connections. */
class DrainingTests {

    private final TestApplication application = TestApplication.named("orders")
            .with("rollcall.registries.one.url=" + TestApplication.unique("memory:"), "server.http2.enabled=true");

    @ParameterizedTest
    @EnumSource(
            value = WebApplicationType.class,
            names = {"SERVLET", "REACTIVE"})
    void closesConnectionsFromWhenItLeavesUntilItStops(WebApplicationType type) throws Exception {
        try (ConfigurableApplicationContext context = application.type(type).start()) {
            int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            // The first to stop, and the last to start; the web server is what comes next.
            RegistrationLifecycle lifecycle = context.getBean(RegistrationLifecycle.class);
            try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(head(connection)).noneMatch(DrainingTests::endsConnection);

                lifecycle.stop();

                assertThat(head(connection)).anyMatch(DrainingTests::endsConnection);
                assertThat(connection.getInputStream().read())
                        .as("end of the connection")
                        .isEqualTo(-1);
                assertHttp2IsSpokenWithoutIt(port);
            }
            lifecycle.start();
            try (Socket connection = new Socket(InetAddress.getLoopbackAddress(), port)) {
                assertThat(head(connection)).noneMatch(DrainingTests::endsConnection);
            }
        }
    }

    private static void assertHttp2IsSpokenWithoutIt(int port) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_2).build();
        URI uri = URI.create("http://127.0.0.1:" + port + "/actuator/info");
        HttpResponse<String> response = client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
        assertThat(response.version()).isEqualTo(HttpClient.Version.HTTP_2);
        assertThat(response.statusCode()).isEqualTo(200);
        assertThat(response.headers().firstValue("Connection")).isEmpty();
    }

    private static boolean endsConnection(String header) {
        return header.equalsIgnoreCase("Connection: close");
    }

    /** The lines of the answer's head, which is all there is of it. */
    private static List<String> head(Socket connection) throws IOException {
        connection
                .getOutputStream()
                .write("HEAD /actuator/info HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(connection.getInputStream(), StandardCharsets.US_ASCII));
        List<String> head = Stream.generate(() -> line(reader))
                .takeWhile(line -> !line.isEmpty())
                .toList();
        assertThat(head.get(0)).contains(" 200");
        return head;
    }

    private static String line(BufferedReader reader) {
        try {
            return reader.readLine();
        } catch (IOException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
