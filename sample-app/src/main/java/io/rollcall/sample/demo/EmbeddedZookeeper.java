package io.rollcall.sample.demo;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.server.embedded.ExitHandler;
import org.apache.zookeeper.server.embedded.ZooKeeperServerEmbedded;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/** A real ZooKeeper, which keeps its data when it is stopped. */
final class EmbeddedZookeeper implements RegistryServer {

    private final Path directory;

    /** Zero until it has run once. */
    private volatile int port;

    private volatile @Nullable ZooKeeperServerEmbedded server;

    EmbeddedZookeeper() throws IOException {
        directory = Files.createTempDirectory("rollcall-zookeeper");
    }

    @Override
    public String name() {
        return "zk";
    }

    @Override
    public String url() {
        return "zookeeper://127.0.0.1:" + port;
    }

    @Override
    public Path directory() {
        return directory;
    }

    @Override
    public boolean isRunning() {
        return server != null;
    }

    @Override
    public synchronized void start() throws IOException {
        if (isRunning()) {
            return;
        }
        Properties configuration = new Properties();
        configuration.setProperty("clientPort", Integer.toString(port));
        configuration.setProperty("clientPortAddress", "127.0.0.1");
        configuration.setProperty("admin.enableServer", "false");
        configuration.setProperty("tickTime", "500");
        try {
            ZooKeeperServerEmbedded started = ZooKeeperServerEmbedded.builder()
                    .baseDir(directory)
                    .configuration(configuration)
                    .exitHandler(ExitHandler.LOG_ONLY)
                    .build();
            started.start(TimeUnit.SECONDS.toMillis(30));
            port = started.getClientPort();
            server = started;
        } catch (Exception ex) {
            throw new IOException("ZooKeeper does not start", ex);
        }
    }

    @Override
    public synchronized void stop() {
        ZooKeeperServerEmbedded started = server;
        if (started != null) {
            started.close();
            server = null;
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
