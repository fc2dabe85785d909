package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.EOFException;
import java.io.IOException;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Requests of all kinds, many of them aborted at random moments, after which nothing is in flight. Some in the
 * plain build; all with {@code ./mvnw -pl autoconfigure test -Dtest=AsyncSoakTests -Drollcall.soak=100000}.
 */
class AsyncSoakTests {

    private static final int REQUESTS = Integer.getInteger("rollcall.soak", 3_200);
    private static final int CLIENTS = 16;

    private static final List<String> ON_SERVLETS = List.of(
            "/plain",
            "/callable",
            "/web-async-task",
            "/deferred",
            "/streaming?size=40000",
            "/emitter",
            "/rounds",
            "/forward",
            "/send-error",
            "/streaming?size=1000000",
            "/blocking-stream?size=1000000");
    private static final List<String> ON_NETTY = List.of(
            "/plain",
            "/mono",
            "/flux",
            "/blocking",
            "/missing",
            "/fail-later?what=assertion",
            "/streaming?size=1000000");

    /** Tomcat looks for time-outs once a second: all clients would do nothing but wait for them if there were more. */
    private static final String TIMES_OUT = "/deferred-never?timeout=5";

    private static final int TIME_OUTS_PER_CLIENT = 5;

    private final AtomicInteger answered = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicInteger aborted = new AtomicInteger();
    private final AtomicInteger unanswered = new AtomicInteger();

    @Test
    void losesNoPermitOnTomcat() throws Exception {
        runOnServlets(TIMES_OUT);
    }

    @Test
    @Tag("jetty")
    void losesNoPermitOnJetty() throws Exception {
        // Jetty 12.1.10 leaves about every third request unanswered whose time-out passes that soon, also without
        // Rollcall.
        runOnServlets("/deferred");
    }

    @Test
    void losesNoPermitOnNetty() throws Exception {
        try (TestApplication application =
                TestApplication.onNetty(NettyTestConfiguration.class, "rollcall.max-concurrency=8")) {
            run(application, ON_NETTY, "/timeout");
        }
    }

    private void runOnServlets(String timesOut) throws Exception {
        try (TestApplication application =
                TestApplication.onServlet(TomcatTestConfiguration.class, "rollcall.max-concurrency=8")) {
            run(application, ON_SERVLETS, timesOut);
            assertThat(unanswered).hasValue(0);
        }
    }

    private void run(TestApplication application, List<String> paths, String timesOut) throws Exception {
        ExecutorService clients = Executors.newFixedThreadPool(CLIENTS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int i = 0; i < CLIENTS; i++) {
                Random random = new Random(i);
                all.add(clients.submit(() -> client(application, paths, timesOut, random)));
            }
            for (Future<?> one : all) {
                one.get();
            }
        } finally {
            clients.shutdown();
        }
        await().until(() -> application.inFlight() == 0 && application.longLived() == 0);
        assertThat(answered.get() + refused.get() + aborted.get()).isEqualTo(REQUESTS / CLIENTS * CLIENTS);
        assertThat(answered.get()).isPositive();
        assertThat(refused.get()).isPositive();
        assertThat(aborted.get()).isPositive();
        System.out.printf("%s answered, %s refused, %s aborted%n", answered, refused, aborted);
    }

    private Void client(TestApplication application, List<String> paths, String timesOut, Random random)
            throws IOException {
        for (int i = 0; i < REQUESTS / CLIENTS; i++) {
            String path = i < TIME_OUTS_PER_CLIENT ? timesOut : paths.get(random.nextInt(paths.size()));
            RawHttp http = application.connect();
            try {
                http.send("GET " + path);
                if (random.nextInt(5) == 0 || path.contains("1000000")) {
                    if (random.nextBoolean()) {
                        http.readByte();
                    }
                    aborted.incrementAndGet();
                } else {
                    RawHttp.Response response = http.read(false);
                    boolean marked = response.header(Refusal.MARKER_HEADER) != null;
                    (marked ? refused : answered).incrementAndGet();
                }
            } catch (SocketTimeoutException noAnswer) {
                // Reactor Netty 1.3.6 leaves about one answer in 50,000 from another thread unsent, also without
                // Rollcall.
                unanswered.incrementAndGet();
                aborted.incrementAndGet();
            } catch (EOFException | SocketException cutOff) {
                aborted.incrementAndGet();
            } finally {
                // A reset leaves no connection waiting for its end, of which there is room for some ten thousand only.
                http.abort();
            }
        }
        return null;
    }
}
