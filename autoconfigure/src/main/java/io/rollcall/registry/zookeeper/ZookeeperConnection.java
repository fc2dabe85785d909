package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Registry;
import org.apache.zookeeper.ZooKeeper;

/** The one connection of a registry, shared by both of its roles and all services. Thread-safe. */
interface ZookeeperConnection extends Registry.Client {

    /**
     * The current session, connected a moment ago. All steps of one change go through one handle: ZooKeeper keeps their order, and
     * a session that ends in between fails them.
     *
     * @throws InterruptedException if interrupted while it waits for the connection
     * @throws Exception if there is no connection in time
     */
    ZooKeeper session() throws Exception;

    /** What goes before every path, with a leading slash, or empty. */
    String namespace();

    /** Whether all watches of its sessions are ours. */
    boolean exclusive();
}
