package io.rollcall.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * How long a caller on the same machine waits for a refusal: one request holds the only permit of a real Tomcat, others are refused, one
 * after the other. Beside it, what an exempt request takes that answers at once. Each has a connection of its own, since Tomcat ends them after a
 * refusal, and the connection is there before the clock is read.
 */
public final class RefusalMeasurement {

    private static final int WARM_UP = 5000;

    private static final int COUNT = 20_000;

    private RefusalMeasurement() {}

    /** Prints the medians and percentiles. */
    public static void main(String[] arguments) throws Exception {
        try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .properties(
                        "server.port=0",
                        "server.address=127.0.0.1",
                        "spring.main.banner-mode=off",
                        "rollcall.max-concurrency=1",
                        "rollcall.concurrency.exempt-paths=/exempt")
                .run(arguments)) {
            int port = context.getEnvironment().getRequiredProperty("local.server.port", Integer.class);
            Held held = context.getBean(Held.class);
            try (Socket holder = new Socket(InetAddress.getLoopbackAddress(), port)) {
                send(holder, "/held");
                held.begun.await();
                for (String path : new String[] {"/refused", "/exempt"}) {
                    measure(port, path, WARM_UP);
                    print(path, measure(port, path, COUNT));
                }
                held.goOn.countDown();
            }
        }
    }

    private static long[] measure(int port, String path, int count) throws IOException {
        long[] nanos = new long[count];
        for (int i = 0; i < count; i++) {
            try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
                socket.setTcpNoDelay(true);
                long start = System.nanoTime();
                send(socket, path);
                InputStream input = socket.getInputStream();
                byte[] head = new byte[12];
                if (input.readNBytes(head, 0, head.length) < head.length) {
                    throw new IOException("no answer");
                }
                nanos[i] = System.nanoTime() - start;
                String expected = path.equals("/exempt") ? "200" : "503";
                if (!new String(head, StandardCharsets.US_ASCII).endsWith(expected)) {
                    throw new IOException("not " + expected + ": " + new String(head, StandardCharsets.US_ASCII));
                }
            }
        }
        return nanos;
    }

    private static void send(Socket socket, String path) throws IOException {
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
    }

    private static void print(String path, long[] nanos) {
        Arrays.sort(nanos);
        System.out.printf(
                "%s: median %.2f ms, p99 %.2f ms, p99.9 %.2f ms%n",
                path,
                nanos[nanos.length / 2] / 1e6,
                nanos[nanos.length * 99 / 100] / 1e6,
                nanos[(int) (nanos.length * 0.999)] / 1e6);
    }

    @EnableAutoConfiguration
    static class Application {

        @Bean
        Held held() {
            return new Held();
        }
    }

    @RestController
    static final class Held {

        private final CountDownLatch begun = new CountDownLatch(1);

        private final CountDownLatch goOn = new CountDownLatch(1);

        @GetMapping("/held")
        String held() throws InterruptedException {
            begun.countDown();
            goOn.await();
            return "done";
        }

        @GetMapping("/exempt")
        String exempt() {
            return "done";
        }
    }
}
