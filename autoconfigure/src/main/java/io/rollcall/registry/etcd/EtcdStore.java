package io.rollcall.registry.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.Compare;
import io.etcd.jetcd.api.Compare.CompareResult;
import io.etcd.jetcd.api.Compare.CompareTarget;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KVGrpc.KVBlockingStub;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RangeResponse;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.etcd.jetcd.api.TxnResponse;
import io.grpc.Channel;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Reads and writes keys. */
final class EtcdStore {

    private final EtcdClient client;

    EtcdStore(EtcdClient client) {
        this.client = client;
    }

    static RangeRequest key(ByteString key) {
        return RangeRequest.newBuilder().setKey(key).build();
    }

    /** All keys that begin like this. */
    static RangeRequest.Builder keysFrom(String begin) {
        return RangeRequest.newBuilder().setKey(EtcdKeys.bytes(begin)).setRangeEnd(EtcdKeys.endOf(begin));
    }

    RangeResponse read(RangeRequest range) throws Exception {
        return client.call((channel, nanos) -> stub(channel, nanos).range(range));
    }

    /** Reads a single key and something else in one step; the key's value comes first, or null. */
    Pair read(ByteString key, RangeRequest other) throws Exception {
        TxnRequest transaction = TxnRequest.newBuilder()
                .addSuccess(RequestOp.newBuilder().setRequestRange(key(key)))
                .addSuccess(RequestOp.newBuilder().setRequestRange(other))
                .build();
        TxnResponse answer =
                client.call((channel, nanos) -> stub(channel, nanos).txn(transaction));
        List<KeyValue> first = answer.getResponses(0).getResponseRange().getKvsList();
        return new Pair(
                first.isEmpty() ? null : first.get(0),
                answer.getResponses(1).getResponseRange().getKvsList());
    }

    /**
     * Two answers of one step.
     *
     * @param first the value of the single key, or null if there is none
     * @param others what the other range holds
     */
    record Pair(@Nullable KeyValue first, List<KeyValue> others) {}

    /**
     * Writes a key, unless it has been changed meanwhile.
     *
     * @param before what it was when it was read, or null if it was not there
     * @return whether it was written
     */
    boolean write(ByteString key, ByteString value, long lease, @Nullable KeyValue before) throws Exception {
        Compare unchanged = Compare.newBuilder()
                .setKey(key)
                .setTarget(CompareTarget.MOD)
                .setResult(CompareResult.EQUAL)
                .setModRevision(before == null ? 0 : before.getModRevision())
                .build();
        PutRequest put = PutRequest.newBuilder()
                .setKey(key)
                .setValue(value)
                .setLease(lease)
                .build();
        TxnRequest transaction = TxnRequest.newBuilder()
                .addCompare(unchanged)
                .addSuccess(RequestOp.newBuilder().setRequestPut(put))
                .build();
        return client.call((channel, nanos) -> stub(channel, nanos).txn(transaction))
                .getSucceeded();
    }

    private static KVBlockingStub stub(Channel channel, long nanos) {
        return KVGrpc.newBlockingStub(channel).withDeadlineAfter(nanos, TimeUnit.NANOSECONDS);
    }
}
