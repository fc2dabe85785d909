package io.rollcall.registry.zookeeper;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.time.Duration;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** A plain connection, as a program that knows nothing of Rollcall has it. */
final class ForeignClient implements AutoCloseable {

    private static final int SESSION_TIMEOUT = 10_000;

    private final ZooKeeper zookeeper;

    ForeignClient(String address) throws IOException {
        this(new ZooKeeper(address, SESSION_TIMEOUT, event -> {}));
    }

    private ForeignClient(ZooKeeper zookeeper) {
        this.zookeeper = zookeeper;
        awaitConnection();
    }

    void awaitConnection() {
        await().atMost(Duration.ofSeconds(30)).until(() -> zookeeper.getState().isConnected());
    }

    ZooKeeper zookeeper() {
        return zookeeper;
    }

    /** Writes an ephemeral node, and its parents. */
    void write(String path, byte[] data) throws Exception {
        write(path, data, CreateMode.EPHEMERAL);
    }

    void write(String path, byte[] data, CreateMode mode) throws Exception {
        ZKPaths.mkdirs(zookeeper, path, false);
        zookeeper.create(path, data, Ids.OPEN_ACL_UNSAFE, mode);
    }

    Stat stat(String path) throws Exception {
        return zookeeper.exists(path, false);
    }

    /** Ends a session as its expiry does: a second connection takes it over and closes it. */
    static void expire(String address, ZooKeeper victim) throws Exception {
        ZooKeeper twin =
                new ZooKeeper(address, SESSION_TIMEOUT, event -> {}, victim.getSessionId(), victim.getSessionPasswd());
        new ForeignClient(twin).close();
        await().atMost(Duration.ofSeconds(30)).until(() -> !victim.getState().isAlive());
    }

    @Override
    public void close() {
        try {
            zookeeper.close();
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
