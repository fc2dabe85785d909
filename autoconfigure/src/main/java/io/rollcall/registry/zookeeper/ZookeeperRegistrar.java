package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Registrar;
import java.time.Clock;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.KeeperException.AuthFailedException;
import org.apache.zookeeper.KeeperException.InvalidACLException;
import org.apache.zookeeper.KeeperException.NoAuthException;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.KeeperException.NotEmptyException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** Keeps one ephemeral node per instance. A renewal is one read of the node's status. */
final class ZookeeperRegistrar implements Registrar {

    private final ZookeeperConnection connection;

    private final ServicePaths paths;

    private final NodeCodec codec;

    private final NodeWriter writer;

    private final Clock clock;

    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    ZookeeperRegistrar(
            ZookeeperConnection connection, ServicePaths paths, NodeCodec codec, NodeWriter writer, Clock clock) {
        this.connection = connection;
        this.paths = paths;
        this.codec = codec;
        this.writer = writer;
        this.clock = clock;
    }

    @Override
    public void checkServiceName(String service) {
        paths.service(service);
    }

    @Override
    public void join(Instance instance) throws Exception {
        String path = path(instance);
        Entry entry = entries.computeIfAbsent(path, key -> new Entry(clock.millis()));
        byte[] data = entry.data(instance, codec);
        ZooKeeper session = connection.session();
        try {
            Stat stat = session.exists(path, false);
            if (entry.isWrittenIn(stat, session)) {
                return;
            }
            entry.writing(session);
            entry.written(session, write(session, path, instance, data, stat));
        } catch (NoAuthException | AuthFailedException | InvalidACLException ex) {
            throw new RefusedException("ZooKeeper does not permit to write " + path, ex);
        } catch (NotEmptyException ex) {
            throw new RefusedException("there are nodes below " + path + ", so it is no instance's", ex);
        }
    }

    private long write(ZooKeeper session, String path, Instance instance, byte[] data, @Nullable Stat stat)
            throws KeeperException, InterruptedException, RefusedException {
        if (stat == null) {
            return writer.create(session, path, data);
        }
        if (stat.getEphemeralOwner() == session.getSessionId()) {
            return writer.update(session, path, data, stat);
        }
        Stat other = new Stat();
        try {
            checkReplaceable(instance, path, session.getData(path, false, other));
        } catch (NoNodeException ex) {
            return writer.create(session, path, data);
        }
        return writer.replace(session, path, data, other);
    }

    /** The node of a dead process stays until its session times out, and none of one that lives has our address. */
    private void checkReplaceable(Instance instance, String path, byte @Nullable [] data) throws RefusedException {
        String address;
        try {
            Instance other = codec.read(instance.service(), instance.id(), data);
            address = other == null ? instance.address() : other.address();
        } catch (IllegalArgumentException ex) {
            // Nobody can call what nobody can read.
            return;
        }
        if (!address.equals(instance.address())) {
            throw new RefusedException("the id '" + instance.id() + "' is held by " + address + " in " + path);
        }
    }

    @Override
    public void leave(Instance instance) throws Exception {
        String path = path(instance);
        Entry entry = entries.get(path);
        ZooKeeper session = connection.session();
        // An interrupted join may still be under way: requests of one session are answered in their order.
        Stat stat = session.exists(path, false);
        if (stat != null && isOurs(stat, session, entry)) {
            delete(session, path, stat);
        }
        entries.remove(path);
    }

    private static boolean isOurs(Stat stat, ZooKeeper session, @Nullable Entry entry) {
        return stat.getEphemeralOwner() == session.getSessionId()
                || entry != null && entry.mayBeOwnedBy(stat.getEphemeralOwner());
    }

    private static void delete(ZooKeeper session, String path, Stat stat) throws KeeperException, InterruptedException {
        try {
            session.delete(path, stat.getVersion());
        } catch (NoNodeException ex) {
            // It went of its own, with its session.
        }
    }

    private String path(Instance instance) throws RefusedException {
        try {
            return paths.instance(instance.service(), instance.id());
        } catch (IllegalArgumentException ex) {
            throw new RefusedException("ZooKeeper can not hold this instance: " + ex.getMessage(), ex);
        }
    }
}
