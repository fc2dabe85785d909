package io.rollcall.registry;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.awaitility.Awaitility.await;

import io.rollcall.registry.RegistryHttp.Answer;
import io.rollcall.servers.Ports;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that says what each test wants it to, and counts the connections that are open to it. */
class RegistryHttpTests {

    private static final Duration LONG = Duration.ofSeconds(60);

    private static final Duration SHORT = Duration.ofMillis(300);

    @AutoClose
    private final RegistryHttp http = new RegistryHttp("one", null, LONG, Map.of("X-Secret", "s3cr3t"));

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final List<String> requests = new CopyOnWriteArrayList<>();

    private final AtomicInteger connections = new AtomicInteger();

    private ServerSocket server;

    private volatile Script script = out -> {};

    /** What the server says to a request. */
    private interface Script {

        void answer(OutputStream out) throws Exception;
    }

    @BeforeEach
    void start() throws IOException {
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        threads.execute(() -> {
            while (!server.isClosed()) {
                try {
                    Socket socket = server.accept();
                    connections.incrementAndGet();
                    threads.execute(() -> serve(socket));
                } catch (IOException ex) {
                    // Closed.
                }
            }
        });
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
        threads.shutdownNow();
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            StringBuilder request = new StringBuilder();
            while (request.indexOf("\r\n\r\n") < 0) {
                request.append(next(in));
            }
            for (int i = request.indexOf("Content-Length: 2") < 0 ? 2 : 0; i < 2; i++) {
                request.append(next(in));
            }
            requests.add(request.toString());
            script.answer(socket.getOutputStream());
            while (in.read() >= 0) {
                // Until the client closes.
            }
        } catch (Exception ex) {
            // The client has closed.
        } finally {
            connections.decrementAndGet();
        }
    }

    private static char next(InputStream in) throws IOException {
        int next = in.read();
        if (next < 0) {
            throw new EOFException("closed before it had asked");
        }
        return (char) next;
    }

    private URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort() + "/a%20b?c=d%2F");
    }

    private Answer get(Duration patience) throws Exception {
        return http.call("GET", uri(), null, patience);
    }

    private static Script text(String text) {
        return out -> out.write(text.getBytes(UTF_8));
    }

    private static List<Thread> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("rollcall-one-"))
                .toList();
    }

    @Test
    void sendsWhatItIsToldAndReturnsWhatIsAnsweredWhateverTheStatus() throws Exception {
        script = text("HTTP/1.1 404 Not Found\r\nX-INDEX: 7\r\nContent-Length: 4\r\n\r\ngone");

        Answer answer = http.call("PUT", uri(), "{}".getBytes(UTF_8), LONG);

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.headers()).containsEntry("x-index", "7");
        assertThat(answer.body()).asString(UTF_8).isEqualTo("gone");
        assertThat(requests)
                .singleElement()
                .asString()
                .startsWith("PUT /a%20b?c=d%2F HTTP/1.1\r\n")
                .contains(
                        "X-Secret: s3cr3t\r\n",
                        "Host: 127.0.0.1:" + server.getLocalPort() + "\r\n",
                        "Content-Type: application/json",
                        "Connection: close\r\n")
                .endsWith("\r\n\r\n{}");
        await().until(() -> connections.get() == 0);
    }

    @Test
    void followsNobodyElsewhere() throws Exception {
        script = text("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n");

        assertThat(get(LONG).status()).isEqualTo(302);
        assertThat(get(LONG).body()).isEmpty();
    }

    @Test
    void doesNotReadWhatHasNoEnd() {
        script = out -> {
            out.write("HTTP/1.1 200 OK\r\n\r\n".getBytes(UTF_8));
            byte[] more = new byte[1024 * 1024];
            while (true) {
                out.write(more);
            }
        };

        assertThatIOException()
                .isThrownBy(() -> get(LONG))
                .withMessage("the answer is longer than " + RegistryHttp.MAX_BYTES + " bytes");
        await().until(() -> connections.get() == 0);
    }

    @Test
    void doesNotReadAHeadThatHasNoEnd() {
        script = out -> {
            out.write("HTTP/1.1 200 OK\r\n".getBytes(UTF_8));
            for (int i = 0; true; i++) {
                out.write(("x-" + i + ": y\r\n").getBytes(UTF_8));
            }
        };

        assertThatIOException().isThrownBy(() -> get(LONG)).withMessageContaining("header count");
        await().until(() -> connections.get() == 0);
    }

    @Test
    void anAnswerThatComesDropByDropHasToBeThereInTime() {
        script = out -> {
            out.write("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n".getBytes(UTF_8));
            while (true) {
                out.write('x');
                out.flush();
                // The pace of the drops, which is what this is about.
                Thread.sleep(10);
            }
        };

        assertThatExceptionOfType(SocketTimeoutException.class)
                .isThrownBy(() -> get(SHORT))
                .withMessage("no answer within 300 ms");
        await().until(() -> connections.get() == 0);
    }

    @Test
    void tellsWhyThereIsNoAnswer() throws IOException {
        script = text("SSH-2.0-OpenSSH\r\n");
        assertThatIOException().isThrownBy(() -> get(LONG));
        URI nobody = URI.create("http://127.0.0.1:" + Ports.reserve() + "/");
        assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> http.call("GET", nobody, null, LONG));
        script = OutputStream::close;
        assertThatIOException().isThrownBy(() -> get(LONG));
    }

    @Test
    void aHostMayHaveAnUnderscore() {
        assertThatExceptionOfType(UnknownHostException.class)
                .isThrownBy(() -> http.call("GET", URI.create("http://no_such.invalid:8500/"), null, LONG));
    }

    @Test
    void cancellingClosesTheConnection() {
        CompletableFuture<Answer> answer = http.send("GET", uri(), null, LONG);
        await().until(() -> requests.size() == 1);

        answer.cancel(true);

        await().until(() -> connections.get() == 0);
    }

    @Test
    void anInterruptEndsACallAndDoesNotEndAJoin() throws Exception {
        Thread.currentThread().interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> get(LONG));
        await().until(() -> connections.get() == 0);
        script = text("HTTP/1.1 204 No Content\r\n\r\n");
        CompletableFuture<Answer> answer = http.send("GET", uri(), null, LONG);

        Thread.currentThread().interrupt();

        assertThat(RegistryHttp.join(answer).status()).isEqualTo(204);
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void aCallThatIsGivenUpWhileItConnectsLeavesNoConnection() throws Exception {
        for (int i = 0; i < 500; i++) {
            CompletableFuture<Answer> answer = http.send("GET", uri(), null, LONG);
            long moment = System.nanoTime() + ThreadLocalRandom.current().nextInt(400_000);
            while (System.nanoTime() < moment) {
                Thread.onSpinWait();
            }
            answer.cancel(false);
        }

        script = text("HTTP/1.1 204 No Content\r\n\r\n");
        assertThat(get(LONG).status()).isEqualTo(204);
        await().until(() -> connections.get() == 0);
    }

    @Test
    void hasTwoThreadsHoweverManyCallsAreOpenAndNoneOnceItIsClosed() {
        assertThat(threads()).isEmpty();
        List<CompletableFuture<Answer>> answers = new CopyOnWriteArrayList<>();
        for (int i = 0; i < 50; i++) {
            answers.add(http.send("GET", uri(), null, LONG));
        }
        await().until(() -> requests.size() == 50);
        assertThat(threads()).hasSize(2).allMatch(Thread::isDaemon);

        http.close();
        http.close();

        assertThat(threads()).isEmpty();
        assertThat(answers).allMatch(CompletableFuture::isDone);
        await().until(() -> connections.get() == 0);
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> get(LONG));
        assertThat(http.isClosed()).isTrue();
    }
}
