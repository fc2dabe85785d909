package io.rollcall.sample.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;
import redis.embedded.core.ExecutableProvider;

/** A real Redis without persistence: it has forgotten everything when it is started again. */
final class EmbeddedRedis implements RegistryServer {

    private final Path directory;

    private final Path executable;

    private final int port;

    private volatile @Nullable ProcessHandle process;

    EmbeddedRedis() throws IOException {
        directory = Files.createTempDirectory("rollcall-redis");
        executable = ExecutableProvider.newJarResourceProvider(directory.toFile())
                .get()
                .toPath();
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
    }

    @Override
    public String name() {
        return "redis";
    }

    @Override
    public String url() {
        return "redis://127.0.0.1:" + port;
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public boolean isRunning() {
        ProcessHandle started = process;
        return started != null && started.isAlive();
    }

    /** As a daemon, since Ctrl-C ends all processes of a terminal at once, and the applications are to leave first. */
    @Override
    public synchronized void start() throws IOException {
        if (isRunning()) {
            return;
        }
        Path configuration = directory.resolve("redis.conf");
        Path pid = directory.resolve("redis.pid");
        Path log = directory.resolve("redis.log");
        Files.writeString(configuration, """
                daemonize yes
                bind 127.0.0.1
                port %d
                save ""
                pidfile "%s"
                logfile "%s"
                """.formatted(port, pid, log));
        Files.deleteIfExists(pid);
        Process launcher = new ProcessBuilder(executable.toString(), configuration.toString())
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        process = awaitDaemon(launcher, pid, log);
    }

    /** Redis writes its process id once it listens. */
    private static ProcessHandle awaitDaemon(Process launcher, Path pid, Path log) throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        try {
            while (!Files.exists(pid) || !Files.readString(pid).endsWith("\n")) {
                boolean failed = !launcher.isAlive() && launcher.exitValue() != 0;
                if (failed || System.nanoTime() > end) {
                    throw new IOException("redis-server does not start: " + Files.readString(log));
                }
                TimeUnit.MILLISECONDS.sleep(20);
            }
            return ProcessHandle.of(Long.parseLong(Files.readString(pid).trim()))
                    .orElseThrow(() -> new IOException("redis-server has ended"));
        } catch (InterruptedException ex) {
            Thread.currentThread().interrupt();
            throw new IOException("Interrupted while redis-server starts", ex);
        }
    }

    @Override
    public synchronized void stop() {
        ProcessHandle started = process;
        if (started != null) {
            started.destroy();
            started.onExit().join();
            process = null;
        }
    }

    @Override
    public void close() {
        stop();
        try {
            FileSystemUtils.deleteRecursively(directory);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
