package io.rollcall.registry.zookeeper;

import org.apache.curator.utils.ZookeeperFactory;
import org.apache.zookeeper.Watcher;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.client.ZKClientConfig;

/** ZooKeeper names its two threads after the thread that makes the handle, which after a lost session is one of Curator's or its own. */
final class NamedZookeeperFactory implements ZookeeperFactory {

    private final String threadPrefix;

    NamedZookeeperFactory(String threadPrefix) {
        this.threadPrefix = threadPrefix;
    }

    @Override
    public ZooKeeper newZooKeeper(String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly)
            throws Exception {
        return newZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, new ZKClientConfig());
    }

    @Override
    public ZooKeeper newZooKeeper(
            String connectString, int sessionTimeout, Watcher watcher, boolean canBeReadOnly, ZKClientConfig config)
            throws Exception {
        Thread thread = Thread.currentThread();
        String name = thread.getName();
        thread.setName(threadPrefix);
        try {
            return new ZooKeeper(connectString, sessionTimeout, watcher, canBeReadOnly, config);
        } finally {
            thread.setName(name);
        }
    }
}
