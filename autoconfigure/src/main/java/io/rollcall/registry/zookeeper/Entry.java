package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Instance;
import io.rollcall.registry.RefusedException;
import java.util.HashSet;
import java.util.Set;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** What a registrar knows of one node that it writes. Used by one thread at a time. */
final class Entry {

    private final long registrationTime;

    /** Sessions in which we have written it, or may have. */
    private final Set<Long> sessions = new HashSet<>();

    private @Nullable Written written;

    private @Nullable Instance instance;

    private byte[] data = {};

    /** The transaction of a session that wrote the current data. */
    private record Written(long session, long transaction) {}

    Entry(long registrationTime) {
        this.registrationTime = registrationTime;
    }

    /** The node's data for the instance, which is the current one from now on. */
    byte[] data(Instance current, NodeCodec codec) throws RefusedException {
        if (!current.equals(instance)) {
            data = codec.write(current, registrationTime);
            instance = current;
            written = null;
        }
        return data;
    }

    /** Whether the node is there as this session wrote it, with the current data. */
    boolean isWrittenIn(@Nullable Stat stat, ZooKeeper session) {
        return stat != null
                && written != null
                && written.session == session.getSessionId()
                && stat.getEphemeralOwner() == written.session
                && stat.getMzxid() == written.transaction;
    }

    void writing(ZooKeeper session) {
        sessions.add(session.getSessionId());
    }

    void written(ZooKeeper session, long transaction) {
        written = new Written(session.getSessionId(), transaction);
        sessions.clear();
        sessions.add(session.getSessionId());
    }

    /** Whether a node of that owner is ours, maybe of a session that ended before its last write was answered. */
    boolean mayBeOwnedBy(long session) {
        return sessions.contains(session);
    }
}
