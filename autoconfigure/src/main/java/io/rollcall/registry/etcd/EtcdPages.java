package io.rollcall.registry.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.grpc.StatusRuntimeException;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing.RejectedRecord;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads a list that is longer than one answer may be, all as of one revision. Where an answer is still too long, the pages shrink, down to
 * the one value that is longer than an instance can be: it is left out alone.
 */
final class EtcdPages {

    private static final int LARGEST = 1000;

    /** So much does the next page shrink after one that was too long. */
    private static final int DIVISOR = 10;

    private final EtcdStore store;

    private final ByteString incarnation;

    EtcdPages(EtcdStore store, ByteString incarnation) {
        this.store = store;
        this.incarnation = incarnation;
    }

    /** All keys that begin like this, and the registry's incarnation. */
    EtcdStore.Pair read(String begin, List<RejectedRecord> rejected) throws Exception {
        RangeRequest names =
                EtcdStore.keysFrom(begin).setKeysOnly(true).setLimit(1).build();
        EtcdStore.Pair first = store.read(incarnation, names);
        ByteString end = EtcdKeys.endOf(begin);
        ByteString from = EtcdKeys.bytes(begin);
        List<KeyValue> entries = new ArrayList<>();
        int limit = LARGEST;
        long revision = 0;
        boolean more = !first.others().isEmpty();
        while (more) {
            RangeRequest page = RangeRequest.newBuilder()
                    .setKey(from)
                    .setRangeEnd(end)
                    .setLimit(limit)
                    .setRevision(revision)
                    .build();
            RangeResponse answer;
            try {
                answer = store.read(page);
                entries.addAll(answer.getKvsList());
                limit = Math.min(LARGEST, 2 * limit);
            } catch (StatusRuntimeException ex) {
                if (!EtcdErrors.isTooLong(ex)) {
                    throw ex;
                }
                if (limit > 1) {
                    limit = Math.max(1, limit / DIVISOR);
                    continue;
                }
                answer = store.read(page.toBuilder().setKeysOnly(true).build());
                answer.getKvsList()
                        .forEach(entry -> rejected.add(new RejectedRecord(
                                entry.getKey().toStringUtf8(), "longer than " + Json.MAX_BYTES + " bytes")));
            }
            revision = revision == 0 ? answer.getHeader().getRevision() : revision;
            more = answer.getMore();
            if (more) {
                from = answer.getKvs(answer.getKvsCount() - 1).getKey().concat(ByteString.copyFrom(new byte[] {0}));
            }
        }
        return new EtcdStore.Pair(first.first(), entries);
    }
}
