package io.rollcall.registry.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import java.time.Duration;
import java.util.UUID;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a key with a random value, by which one life of the data is told from the next: etcd itself has the same cluster id after
 * it was wiped, and its revisions begin anew. The key lives under a lease of its own, long enough to outlive a night without any
 * registration.
 */
final class EtcdIncarnation {

    private static final Duration TTL = Duration.ofDays(1);

    private static final Duration RENEWAL = Duration.ofHours(1);

    private final EtcdStore store;

    private final EtcdLeases leases;

    private final ByteString key;

    private final RandomGenerator random;

    private long renewed;

    private long lease;

    EtcdIncarnation(EtcdStore store, EtcdLeases leases, ByteString key, RandomGenerator random) {
        this.store = store;
        this.leases = leases;
        this.key = key;
        this.random = random;
    }

    ByteString key() {
        return key;
    }

    /** Makes the key if it is missing, and renews it from time to time. */
    void keep(@Nullable KeyValue current) throws Exception {
        if (current == null) {
            lease = EtcdRegistrar.newLease(random);
            leases.grant(lease, TTL);
            ByteString value = EtcdKeys.bytes(UUID.randomUUID().toString());
            if (store.write(key, value, lease, null)) {
                renewed = System.nanoTime();
            } else {
                // Another process was quicker.
                leases.revoke(lease);
            }
        } else if (current.getLease() != 0
                && (current.getLease() != lease || System.nanoTime() - renewed > RENEWAL.toNanos())) {
            lease = current.getLease();
            leases.renew(lease);
            renewed = System.nanoTime();
        }
    }
}
