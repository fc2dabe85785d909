package io.rollcall.registry.etcd;

import com.google.protobuf.ByteString;
import io.etcd.jetcd.api.AuthEnableRequest;
import io.etcd.jetcd.api.AuthGrpc;
import io.etcd.jetcd.api.AuthGrpc.AuthBlockingStub;
import io.etcd.jetcd.api.AuthRoleAddRequest;
import io.etcd.jetcd.api.AuthRoleGrantPermissionRequest;
import io.etcd.jetcd.api.AuthUserAddRequest;
import io.etcd.jetcd.api.AuthUserGrantRoleRequest;
import io.etcd.jetcd.api.CompactionRequest;
import io.etcd.jetcd.api.DeleteRangeRequest;
import io.etcd.jetcd.api.KVGrpc;
import io.etcd.jetcd.api.KVGrpc.KVBlockingStub;
import io.etcd.jetcd.api.KeyValue;
import io.etcd.jetcd.api.LeaseGrantRequest;
import io.etcd.jetcd.api.LeaseGrpc;
import io.etcd.jetcd.api.LeaseGrpc.LeaseBlockingStub;
import io.etcd.jetcd.api.LeaseRevokeRequest;
import io.etcd.jetcd.api.LeaseTimeToLiveRequest;
import io.etcd.jetcd.api.Permission;
import io.etcd.jetcd.api.PutRequest;
import io.etcd.jetcd.api.RangeRequest;
import io.etcd.jetcd.api.RequestOp;
import io.etcd.jetcd.api.TxnRequest;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.regex.Pattern;

/** A client beside Rollcall's, as an administrator or a program in another language would use it. */
public final class ForeignEtcd implements AutoCloseable {

    private final int port;

    private final ManagedChannel channel;

    public ForeignEtcd(int port) {
        this.port = port;
        channel =
                NettyChannelBuilder.forAddress("127.0.0.1", port).usePlaintext().build();
    }

    private KVBlockingStub keys() {
        return KVGrpc.newBlockingStub(channel).withWaitForReady();
    }

    private LeaseBlockingStub leases() {
        return LeaseGrpc.newBlockingStub(channel).withWaitForReady();
    }

    /** Writes a key that stays. */
    public void put(String key, String value) {
        put(key, ByteString.copyFromUtf8(value), 0);
    }

    void put(String key, ByteString value, long lease) {
        keys().put(PutRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .setValue(value)
                .setLease(lease)
                .build());
    }

    /** How many writes there have been. */
    public long revision() {
        return keys().range(RangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8("none"))
                        .build())
                .getHeader()
                .getRevision();
    }

    /** Writes many keys in one step. */
    public void putAll(List<String> keys, String value) {
        TxnRequest.Builder transaction = TxnRequest.newBuilder();
        for (String key : keys) {
            transaction.addSuccess(RequestOp.newBuilder()
                    .setRequestPut(PutRequest.newBuilder()
                            .setKey(ByteString.copyFromUtf8(key))
                            .setValue(ByteString.copyFromUtf8(value))));
        }
        keys().txn(transaction.build());
    }

    /** The key's value with all that is known of it, or null. */
    KeyValue get(String key) {
        return keys()
                .range(RangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8(key))
                        .build())
                .getKvsList()
                .stream()
                .findFirst()
                .orElse(null);
    }

    /** All keys that there are. */
    List<KeyValue> all() {
        ByteString zero = ByteString.copyFrom(new byte[] {0});
        return keys().range(
                        RangeRequest.newBuilder().setKey(zero).setRangeEnd(zero).build())
                .getKvsList();
    }

    void delete(String key) {
        keys().deleteRange(DeleteRangeRequest.newBuilder()
                .setKey(ByteString.copyFromUtf8(key))
                .build());
    }

    void deleteAll() {
        ByteString zero = ByteString.copyFrom(new byte[] {0});
        keys().deleteRange(DeleteRangeRequest.newBuilder()
                .setKey(zero)
                .setRangeEnd(zero)
                .build());
    }

    /** Forgets all revisions before the present one. */
    void compact() {
        long revision = keys().range(RangeRequest.newBuilder()
                        .setKey(ByteString.copyFromUtf8("any"))
                        .build())
                .getHeader()
                .getRevision();
        keys().compact(CompactionRequest.newBuilder().setRevision(revision).build());
    }

    long grant(long seconds) {
        return leases().leaseGrant(
                        LeaseGrantRequest.newBuilder().setTTL(seconds).build())
                .getID();
    }

    void revoke(long lease) {
        leases().leaseRevoke(LeaseRevokeRequest.newBuilder().setID(lease).build());
    }

    /** Seconds that a lease has left; negative if there is none. */
    long ttl(long lease) {
        return leases().leaseTimeToLive(
                        LeaseTimeToLiveRequest.newBuilder().setID(lease).build())
                .getTTL();
    }

    /** The ids of all leases; the client library has no call for it, but etcd's HTTP interface. */
    List<Long> allLeases() throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/v3/lease/leases"))
                .POST(BodyPublishers.ofString("{}"))
                .build();
        String answer = HttpClient.newHttpClient()
                .send(request, BodyHandlers.ofString())
                .body();
        return Pattern.compile("\"ID\":\"(\\d+)\"")
                .matcher(answer)
                .results()
                .map(found -> Long.valueOf(found.group(1)))
                .toList();
    }

    private AuthBlockingStub users() {
        return AuthGrpc.newBlockingStub(channel).withWaitForReady();
    }

    public void addUser(String name, String password, String role) {
        users().userAdd(AuthUserAddRequest.newBuilder()
                .setName(name)
                .setPassword(password)
                .build());
        users().userGrantRole(AuthUserGrantRoleRequest.newBuilder()
                .setUser(name)
                .setRole(role)
                .build());
    }

    public void addRole(String name) {
        users().roleAdd(AuthRoleAddRequest.newBuilder().setName(name).build());
    }

    /** Permits what a role may do with a key, or with all that begin like it. */
    public void permit(String role, Permission.Type what, String key, boolean prefix) {
        Permission.Builder permission =
                Permission.newBuilder().setPermType(what).setKey(ByteString.copyFromUtf8(key));
        if (prefix) {
            permission.setRangeEnd(EtcdKeys.endOf(key));
        }
        users().roleGrantPermission(AuthRoleGrantPermissionRequest.newBuilder()
                .setName(role)
                .setPerm(permission)
                .build());
    }

    /** From now on nobody may do anything who has not logged in. */
    public void enableLogin() {
        users().authEnable(AuthEnableRequest.getDefaultInstance());
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
