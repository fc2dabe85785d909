package io.rollcall.registry.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Registrar;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one key per instance under a lease of its own. The lease is also the fence: whoever revokes it ends the key, if it is still
 * bound to it, and every write that is still under way.
 */
final class EtcdRegistrar implements Registrar {

    private final EtcdStore store;

    private final EtcdLeases leases;

    private final EtcdKeys keys;

    private final EtcdIncarnation incarnation;

    private final Duration ttl;

    private final EtcdRecords records = new EtcdRecords();

    private final RandomGenerator random = new SecureRandom();

    /** The lease of each key that we have written, or have begun to write. */
    private final Map<String, Long> current = new ConcurrentHashMap<>();

    EtcdRegistrar(EtcdStore store, EtcdLeases leases, EtcdKeys keys, Duration ttl) {
        this.store = store;
        this.leases = leases;
        this.keys = keys;
        this.ttl = ttl;
        this.incarnation = new EtcdIncarnation(store, leases, keys.incarnation(), random);
    }

    @Override
    public void checkServiceName(String service) {
        if (!EtcdKeys.isService(service)) {
            throw new IllegalArgumentException("etcd registers no names with a slash, which ends the name in a key");
        }
    }

    @Override
    public void join(Instance instance) throws Exception {
        String path = keys.instance(instance);
        ByteString key = EtcdKeys.bytes(path);
        ByteString value = records.write(instance);
        long lease = liveLease(path);
        EtcdStore.Pair there = store.read(incarnation.key(), EtcdStore.key(key));
        KeyValue entry = single(there.others());
        if (!isOurs(entry, lease, value) && !store.write(key, value, lease, entry)) {
            // Either somebody else's doing, or our own whose answer was lost.
            entry = single(store.read(EtcdStore.key(key)).getKvsList());
            if (!isOurs(entry, lease, value)) {
                throw new IllegalStateException("another process has changed " + path + " at the same time");
            }
        }
        incarnation.keep(there.first());
    }

    private long liveLease(String path) throws Exception {
        Long lease = current.get(path);
        if (lease != null && leases.renew(lease)) {
            return lease;
        }
        long fresh = newLease(random);
        current.put(path, fresh);
        leases.grant(fresh, ttl);
        return fresh;
    }

    private static @Nullable KeyValue single(List<KeyValue> values) {
        return values.isEmpty() ? null : values.get(0);
    }

    private static boolean isOurs(@Nullable KeyValue entry, long lease, ByteString value) {
        return entry != null && entry.getLease() == lease && entry.getValue().equals(value);
    }

    @Override
    public void leave(Instance instance) throws Exception {
        String path = keys.instance(instance);
        Long lease = current.get(path);
        if (lease != null) {
            leases.revoke(lease);
            current.remove(path);
        }
    }

    /** An id that nobody else has. etcd takes positive ones. */
    static long newLease(RandomGenerator random) {
        return random.nextLong(1, Long.MAX_VALUE);
    }
}
