package io.rollcall.registry.zookeeper;

import java.net.ConnectException;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.imps.CuratorFrameworkState;
import org.apache.zookeeper.ZooKeeper;

/** The application's own connection: used, never closed. */
final class SharedConnection implements ZookeeperConnection {

    private final CuratorFramework curator;

    SharedConnection(CuratorFramework curator) {
        this.curator = curator;
    }

    @Override
    public ZooKeeper session() throws Exception {
        if (curator.getState() != CuratorFrameworkState.STARTED) {
            throw new ConnectException("the application's CuratorFramework is not started or already closed");
        }
        return connected(curator);
    }

    @Override
    public String namespace() {
        String namespace = curator.getNamespace();
        return namespace == null || namespace.isEmpty() ? "" : "/" + namespace;
    }

    @Override
    public boolean exclusive() {
        return false;
    }

    @Override
    public void close() {
        // Belongs to the application.
    }

    /** Asks for the handle only while connected: otherwise Curator may hold a lock that no interrupt ends. */
    static ZooKeeper connected(CuratorFramework curator) throws Exception {
        if (!curator.getZookeeperClient().blockUntilConnectedOrTimedOut()) {
            throw new ConnectException("no connection to ZooKeeper at "
                    + curator.getZookeeperClient().getCurrentConnectionString());
        }
        return curator.getZookeeperClient().getZooKeeper();
    }
}
