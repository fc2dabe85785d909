package io.rollcall.registry.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import org.apache.curator.test.InstanceSpec;
import org.apache.curator.test.TestingServer;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.KeeperException.NoNodeException;

/** A real server in this JVM, on the loopback interface alone. */
final class EmbeddedZookeeper implements AutoCloseable {

    private final TestingServer server;

    private final ForeignClient administrator;

    EmbeddedZookeeper() throws Exception {
        System.setProperty("zookeeper.forceSync", "no");
        server = new TestingServer(
                new InstanceSpec(
                        null,
                        -1,
                        -1,
                        -1,
                        true,
                        -1,
                        200,
                        -1,
                        Map.of("clientPortAddress", "127.0.0.1", "4lw.commands.whitelist", "*"),
                        "127.0.0.1"),
                true);
        administrator = new ForeignClient(address());
    }

    String address() {
        return "127.0.0.1:" + server.getPort();
    }

    String url() {
        return "zookeeper://" + address();
    }

    int port() {
        return server.getPort();
    }

    /** Stops and starts it with its data. */
    void restart() throws Exception {
        server.restart();
    }

    /** A number that the server tells about itself, such as {@code zk_watch_count}. */
    long figure(String name) throws Exception {
        return FourLetterWords.figure(server.getPort(), name);
    }

    /** Removes all services, as if they had never been. */
    void wipe() throws Exception {
        administrator.awaitConnection();
        try {
            ZKPaths.deleteChildren(administrator.zookeeper(), "/services", true);
        } catch (NoNodeException ex) {
            // Nothing was there.
        }
    }

    @Override
    public void close() {
        administrator.close();
        try {
            server.close();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
