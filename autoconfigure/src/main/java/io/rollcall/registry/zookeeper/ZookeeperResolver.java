package io.rollcall.registry.zookeeper;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import io.rollcall.registry.Resolver;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.zookeeper.KeeperException.NoNodeException;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Reads services. All nodes of a service are asked for at once on the one connection, so that many cost hardly more than one. */
final class ZookeeperResolver implements Resolver {

    private static final Listing NOTHING = new Listing(List.of(), Set.of(), List.of(), null, null);

    private final ZookeeperConnection connection;

    private final ServicePaths paths;

    private final NodeCodec codec;

    private final ServiceWatches watches;

    private final Map<String, Seen> seen = new ConcurrentHashMap<>();

    /** A service's node when it was last there, and in which session. */
    private record Seen(long session, String incarnation) {}

    ZookeeperResolver(ZookeeperConnection connection, ServicePaths paths, NodeCodec codec) {
        this.connection = connection;
        this.paths = paths;
        this.codec = codec;
        this.watches = new ServiceWatches(connection.exclusive());
    }

    @Override
    public Listing lookup(String service) throws Exception {
        if (!paths.isService(service)) {
            return NOTHING;
        }
        String path = paths.service(service);
        ZooKeeper session = connection.session();
        Stat parent = new Stat();
        List<String> nodes;
        try {
            nodes = session.getChildren(path, false, parent);
        } catch (NoNodeException ex) {
            return removed(service, session);
        }
        List<Instance> instances = new ArrayList<>();
        List<RejectedRecord> rejected = new ArrayList<>();
        for (PipelinedReads.Node node : PipelinedReads.data(session, path, nodes, Json.MAX_BYTES)) {
            String key = path + "/" + node.name();
            if (node.problem() != null) {
                rejected.add(new RejectedRecord(key, node.problem()));
                continue;
            }
            try {
                Instance instance = codec.read(service, node.name(), node.data());
                if (instance != null) {
                    instances.add(instance);
                }
            } catch (IllegalArgumentException ex) {
                rejected.add(new RejectedRecord(key, String.valueOf(ex.getMessage())));
            }
        }
        String incarnation = incarnation(parent);
        seen.put(service, new Seen(session.getSessionId(), incarnation));
        return new Listing(instances, Set.of(), rejected, incarnation, null);
    }

    /**
     * The service has no node. In the session that saw it, the server has removed it with its last instance; a server that has lost
     * its data knows no session of before.
     */
    private Listing removed(String service, ZooKeeper session) {
        Seen last = seen.get(service);
        if (last == null || last.session != session.getSessionId()) {
            seen.remove(service);
            return NOTHING;
        }
        return new Listing(List.of(), Set.of(), List.of(), last.incarnation, null);
    }

    /** Transaction numbers begin anew when a server is wiped, so the same one may come again: not in the same millisecond too. */
    private static String incarnation(Stat parent) {
        return Long.toHexString(parent.getCzxid()) + "@" + parent.getCtime();
    }

    @Override
    public Set<String> services() throws Exception {
        ZooKeeper session = connection.session();
        List<String> names;
        try {
            names = session.getChildren(paths.root(), false);
        } catch (NoNodeException ex) {
            return Set.of();
        }
        List<String> services = names.stream().filter(paths::isService).toList();
        return new LinkedHashSet<>(PipelinedReads.withChildren(session, paths.base(), services));
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws Exception {
        if (!paths.isService(service)) {
            return () -> {};
        }
        return watches.open(connection.session(), paths.service(service), listener);
    }
}
