package io.rollcall.endtoend;

import io.lettuce.core.RedisClient;
import io.lettuce.core.ScriptOutputType;
import io.lettuce.core.api.StatefulRedisConnection;
import io.rollcall.registry.etcd.ForeignEtcd;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.curator.framework.CuratorFramework;
import org.apache.curator.framework.CuratorFrameworkFactory;
import org.apache.curator.framework.api.transaction.CuratorOp;
import org.apache.curator.retry.RetryOneTime;

/** Writes very many entries that nobody can call into one service. */
final class ManyEntries {

    private static final int BATCH = 1000;

    private ManyEntries() {}

    static void inRedis(int port, String service, int count) {
        RedisClient client = RedisClient.create("redis://127.0.0.1:" + port);
        try (StatefulRedisConnection<String, String> connection = client.connect()) {
            String base = "rollcall:{swoole:service:" + service + "}:";
            connection
                    .sync()
                    .eval(
                            "for i = 1, tonumber(ARGV[1]) do "
                                    + "redis.call('HSET', KEYS[1], 'bad-' .. i, '{\"id\":\"bad-' .. i .. '\"}') "
                                    + "redis.call('ZADD', KEYS[2], 4e12, 'bad-' .. i) end return 1",
                            ScriptOutputType.INTEGER,
                            new String[] {base + "instances", base + "leases"},
                            Integer.toString(count));
        } finally {
            client.shutdown();
        }
    }

    static void inZookeeper(String address, String service, int count) throws Exception {
        try (CuratorFramework client = CuratorFrameworkFactory.newClient(address, new RetryOneTime(100))) {
            client.start();
            byte[] data = "{\"address\":\"a/b\",\"port\":80}".getBytes(StandardCharsets.UTF_8);
            client.create().orSetData().creatingParentsIfNeeded().forPath("/services/" + service + "/bad-0", data);
            for (int from = 1; from < count; from += BATCH) {
                List<CuratorOp> batch = new ArrayList<>();
                for (int i = from; i < from + BATCH; i++) {
                    batch.add(client.transactionOp()
                            .create()
                            .forPath(
                                    "/services/" + service + "/bad-with-a-long-name-as-those-of-others-are-" + i,
                                    data));
                }
                client.transaction().forOperations(batch);
            }
        }
    }

    static void inEtcd(int port, String service, int count) {
        try (ForeignEtcd client = new ForeignEtcd(port)) {
            for (int from = 0; from < count; from += BATCH) {
                List<String> keys = new ArrayList<>();
                for (int i = from; i < from + BATCH; i++) {
                    keys.add("/" + service + "/bad-" + i);
                }
                client.putAll(keys, "{\"Addr\":\"a/b:80\",\"Metadata\":{\"some\":\"more of what others write\"}}");
            }
        }
    }
}
