package io.rollcall.registry.zookeeper;

import java.util.ArrayList;
import java.util.List;
import org.apache.curator.utils.ZKPaths;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NodeExistsException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;

/** Writes ephemeral nodes. Each method returns the transaction that the node was last written by. */
final class NodeWriter {

    private final String chroot;

    private final List<ACL> acl;

    /**
     * @param chroot a path that other clients may be confined to, or empty
     * @param acl who may do what with the nodes
     */
    NodeWriter(String chroot, List<ACL> acl) {
        this.chroot = chroot;
        // ZooKeeper asks the list for null, which List.of(...) does not answer.
        this.acl = new ArrayList<>(acl);
    }

    long create(ZooKeeper session, String path, byte[] data) throws KeeperException, InterruptedException {
        Stat stat = new Stat();
        try {
            session.create(path, data, acl, CreateMode.EPHEMERAL, stat);
        } catch (NoNodeException ex) {
            createParents(session, path);
            session.create(path, data, acl, CreateMode.EPHEMERAL, stat);
        }
        return stat.getMzxid();
    }

    /** Anybody may add to the parents, and the server removes them when nothing is left in them: except the chroot, which others need. */
    private void createParents(ZooKeeper session, String path) throws KeeperException, InterruptedException {
        if (!chroot.isEmpty()) {
            ZKPaths.mkdirs(session, chroot, true);
        }
        ZKPaths.mkdirs(session, path, false, null, true);
    }

    long update(ZooKeeper session, String path, byte[] data, Stat current)
            throws KeeperException, InterruptedException {
        return session.setData(path, data, current.getVersion()).getMzxid();
    }

    /** Puts a node of this session in the place of another one in one step, so that no reader finds none. */
    long replace(ZooKeeper session, String path, byte[] data, Stat other) throws KeeperException, InterruptedException {
        session.multi(List.of(Op.delete(path, other.getVersion()), Op.create(path, data, acl, CreateMode.EPHEMERAL)));
        Stat stat = session.exists(path, false);
        if (stat == null || stat.getEphemeralOwner() != session.getSessionId()) {
            throw new NodeExistsException(path);
        }
        return stat.getMzxid();
    }
}
