package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Resolver.Watch;
import io.rollcall.registry.Resolver.WatchListener;
import java.util.HashMap;
import java.util.Map;
import org.apache.zookeeper.AddWatchMode;
import org.apache.zookeeper.Watcher.WatcherType;
import org.apache.zookeeper.ZooKeeper;

/**
 * The watches of a resolver: persistent and recursive ones of ZooKeeper, of which a session needs one per service, whatever it is
 * told, and which can be set before the service exists.
 */
final class ServiceWatches {

    private final boolean exclusive;

    private final Map<Key, Integer> open = new HashMap<>();

    /** Sessions are told apart by identity. */
    private record Key(ZooKeeper session, String path) {}

    /**
     * @param exclusive whether the watches of a path can be removed whoever set them
     */
    ServiceWatches(boolean exclusive) {
        this.exclusive = exclusive;
    }

    Watch open(ZooKeeper session, String path, WatchListener listener) throws Exception {
        Key key = new Key(session, path);
        ServiceWatch watch = new ServiceWatch(listener, closed -> release(key, closed));
        synchronized (open) {
            open.merge(key, 1, Integer::sum);
        }
        try {
            session.addWatch(path, watch, AddWatchMode.PERSISTENT_RECURSIVE);
        } catch (Exception ex) {
            // The request may still be under way when the wait for it was interrupted.
            watch.close();
            throw ex;
        }
        return watch;
    }

    /**
     * Removes a watch, without waiting for the answer. The server forgets it only when all watches of the path are removed at once;
     * to remove one of several tells the client alone.
     */
    private void release(Key key, ServiceWatch watch) {
        synchronized (open) {
            boolean last = open.merge(key, -1, Integer::sum) == 0;
            if (last) {
                open.remove(key);
            }
            if (!key.session.getState().isAlive()) {
                return;
            }
            if (exclusive && last) {
                key.session.removeAllWatches(key.path, WatcherType.Any, true, (code, path, context) -> {}, null);
            } else {
                key.session.removeWatches(key.path, watch, WatcherType.Any, true, (code, path, context) -> {}, null);
            }
        }
    }
}
