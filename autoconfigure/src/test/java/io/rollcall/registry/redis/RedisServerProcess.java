package io.rollcall.registry.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.servers.ChildServer;
import io.rollcall.servers.ServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import redis.embedded.core.ExecutableProvider;

/** A real Redis server as a child process on a free port of the loopback interface, to be killed, paused and restarted. */
public final class RedisServerProcess extends ChildServer {

    private static final Path EXECUTABLE = executable();

    private final List<String> arguments;

    private RedisServerProcess(List<String> arguments) {
        super("redis");
        this.arguments = arguments;
    }

    /** Starts a server that keeps nothing on disk. */
    public static RedisServerProcess running(String... arguments) {
        RedisServerProcess server = new RedisServerProcess(List.of(arguments));
        server.start();
        return server;
    }

    /** A server that is not started yet, but has its port. */
    public static RedisServerProcess stopped(String... arguments) {
        return new RedisServerProcess(List.of(arguments));
    }

    @Override
    protected ServerProcess launch() {
        List<String> command = new ArrayList<>(List.of(EXECUTABLE.toString()));
        if (arguments.isEmpty() || !arguments.get(0).endsWith(".conf")) {
            command.addAll(
                    List.of("--save", "", "--appendonly", "no", "--protected-mode", "no", "--bind", "127.0.0.1"));
            command.addAll(List.of("--port", arguments.contains("--tls-port") ? "0" : String.valueOf(port())));
        }
        arguments.forEach(argument -> command.add(argument.replace("{port}", String.valueOf(port()))));
        return ServerProcess.start(directory(), command, this::answers);
    }

    private boolean answers() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port())) {
            if (arguments.contains("--tls-port")) {
                return true;
            }
            socket.setSoTimeout(1000);
            socket.getOutputStream().write("PING\r\n".getBytes(StandardCharsets.UTF_8));
            int first = socket.getInputStream().read();
            // "+PONG", or an error for want of a password.
            return first == '+' || first == '-';
        }
    }

    @Override
    public void wipe() {
        if (isRunning()) {
            try (RawConnection connection = raw()) {
                connection.send("FLUSHALL");
                connection.readUntil("+OK");
            }
        }
    }

    /** Speaks to it as {@code redis-cli} would, without any client library: for what libraries do not let through. */
    public RawConnection raw() {
        return new RawConnection(port());
    }

    /** The server of the test library, or the one that the environment names, to try another version. */
    private static Path executable() {
        String other = System.getenv("REDIS_SERVER");
        if (other != null) {
            return Path.of(other);
        }
        try {
            return ExecutableProvider.newJarResourceProvider().get().toPath();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** A connection that sends inline commands and reads lines. */
    public static final class RawConnection implements AutoCloseable {

        private final Socket socket;

        private RawConnection(int port) {
            try {
                socket = new Socket(InetAddress.getLoopbackAddress(), port);
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }

        public void send(String line) {
            try {
                socket.getOutputStream().write((line + "\r\n").getBytes(StandardCharsets.UTF_8));
                socket.getOutputStream().flush();
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }

        /** Reads on until a line contains the text, and returns all lines read. */
        public List<String> readUntil(String text) {
            List<String> lines = new ArrayList<>();
            try {
                socket.setSoTimeout(10_000);
                StringBuilder line = new StringBuilder();
                while (true) {
                    int next = socket.getInputStream().read();
                    assertThat(next)
                            .as("the connection has ended, waiting for " + text)
                            .isNotNegative();
                    if (next != '\n') {
                        line.append((char) next);
                        continue;
                    }
                    lines.add(line.toString().strip());
                    if (line.indexOf(text) >= 0) {
                        return lines;
                    }
                    line.setLength(0);
                }
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }

        @Override
        public void close() {
            try {
                socket.close();
            } catch (IOException ex) {
                throw new UncheckedIOException(ex);
            }
        }
    }
}
