package io.rollcall.registry.zookeeper;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.springframework.util.FileSystemUtils;

/** A real server in a process of its own, which can be paused, killed and wiped. */
public final class ZookeeperProcess implements AutoCloseable {

    private final int port = freePort();

    private final Path directory;

    private Process process;

    public ZookeeperProcess() throws IOException {
        directory = Files.createTempDirectory("zookeeper");
    }

    public int port() {
        return port;
    }

    public String address() {
        return "127.0.0.1:" + port;
    }

    public String url() {
        return "zookeeper://" + address();
    }

    public void start() throws IOException {
        Path configuration = directory.resolve("zoo.cfg");
        Files.writeString(
                configuration,
                String.join(
                        "\n",
                        "dataDir=" + data(),
                        "clientPort=" + port,
                        "clientPortAddress=127.0.0.1",
                        "tickTime=200",
                        "minSessionTimeout=200",
                        "maxSessionTimeout=3600000",
                        "maxClientCnxns=0",
                        "admin.enableServer=false",
                        "4lw.commands.whitelist=*"));
        process = new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Dznode.container.checkIntervalMs=300",
                        "-Dzookeeper.forceSync=no",
                        "-Djute.maxbuffer=8000000",
                        "-cp",
                        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                        "org.apache.zookeeper.server.ZooKeeperServerMain",
                        configuration.toString()))
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("log").toFile())
                .start();
        await().atMost(Duration.ofSeconds(60))
                .ignoreExceptions()
                .until(() -> FourLetterWords.ask(port, "srvr").contains("version"));
    }

    /** It keeps its connections, and does nothing. */
    public void pause() {
        signal("STOP");
    }

    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -" + name + " failed");
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    public void kill() {
        try {
            process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Starts it again without its data. */
    public void startWiped() throws IOException {
        FileSystemUtils.deleteRecursively(data());
        start();
    }

    private Path data() {
        return directory.resolve("data");
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        FileSystemUtils.deleteRecursively(directory.toFile());
    }

    static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
