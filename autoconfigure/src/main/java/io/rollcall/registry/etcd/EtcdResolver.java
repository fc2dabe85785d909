package io.rollcall.registry.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.StatusRuntimeException;
import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import io.rollcall.registry.Resolver;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Reads and watches services. */
final class EtcdResolver implements Resolver {

    private static final Listing NOTHING = new Listing(List.of(), Set.of(), List.of(), null, null);

    private static final int PAGE = 1000;

    /** So many names, or pages of one name's keys, are enough: a prefix that holds more does not hold services alone. */
    private static final int MAX_PAGES = 100;

    private final EtcdClient client;

    private final EtcdStore store;

    private final EtcdKeys keys;

    private final EtcdPages pages;

    private final EtcdRecords records = new EtcdRecords();

    EtcdResolver(EtcdClient client, EtcdStore store, EtcdKeys keys) {
        this.client = client;
        this.store = store;
        this.keys = keys;
        this.pages = new EtcdPages(store, keys.incarnation());
    }

    @Override
    public Listing lookup(String service) throws Exception {
        if (!EtcdKeys.isService(service)) {
            return NOTHING;
        }
        String begin = keys.service(service);
        EtcdStore.Pair read;
        List<RejectedRecord> rejected = new ArrayList<>();
        try {
            read = store.read(keys.incarnation(), EtcdStore.keysFrom(begin).build());
        } catch (StatusRuntimeException ex) {
            if (!EtcdErrors.isTooLong(ex)) {
                throw ex;
            }
            read = pages.read(begin, rejected);
        }
        List<Instance> instances = new ArrayList<>();
        for (KeyValue entry : read.others()) {
            String key = entry.getKey().toStringUtf8();
            try {
                Instance instance = records.read(service, key.substring(begin.length()), entry.getValue());
                if (instance != null) {
                    instances.add(instance);
                }
            } catch (IllegalArgumentException ex) {
                rejected.add(new RejectedRecord(key, String.valueOf(ex.getMessage())));
            }
        }
        return new Listing(instances, Set.of(), rejected, incarnation(read), null);
    }

    /** The foreign data of a wiped etcd can only be told by its absence, if no Rollcall registers there. */
    private static @Nullable String incarnation(EtcdStore.Pair read) {
        KeyValue marker = read.first();
        if (marker != null) {
            return marker.getValue().toStringUtf8();
        }
        return read.others().isEmpty() ? null : "";
    }

    @Override
    public Set<String> services() throws Exception {
        Set<String> services = new HashSet<>();
        ByteString end = EtcdKeys.endOf(keys.prefix());
        ByteString from = EtcdKeys.bytes(keys.prefix().isEmpty() ? "\0" : keys.prefix());
        for (int page = 0; page < MAX_PAGES; page++) {
            RangeResponse answer = store.read(RangeRequest.newBuilder()
                    .setKey(from)
                    .setRangeEnd(end)
                    .setKeysOnly(true)
                    .setLimit(PAGE)
                    .build());
            for (KeyValue entry : answer.getKvsList()) {
                String service = keys.serviceOf(entry.getKey());
                if (service != null) {
                    services.add(service);
                }
            }
            if (!answer.getMore()) {
                return services;
            }
            from = after(answer.getKvs(answer.getKvsCount() - 1).getKey());
        }
        throw new IOException("etcd has more than " + MAX_PAGES * PAGE + " keys below '" + keys.prefix()
                + "'; give the services a prefix of their own");
    }

    /** Where to go on reading: behind the service that a key belongs to, if it belongs to one. */
    private ByteString after(ByteString key) {
        String service = keys.serviceOf(key);
        return service == null
                ? key.concat(ByteString.copyFrom(new byte[] {0}))
                : EtcdKeys.endOf(keys.service(service));
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws Exception {
        if (!EtcdKeys.isService(service)) {
            return () -> {};
        }
        return client.call((channel, nanos) -> ServiceWatch.open(channel, keys.service(service), listener, nanos));
    }
}
