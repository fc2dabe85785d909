package io.rollcall.container;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.rollcall.endtoend.AllServers;
import io.rollcall.registry.redis.RedisServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Random;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;

/** Ends what applications have with their registries, from outside and without their help. */
final class ForcedLosses {

    /** What ZooKeeper's servers make the passwords of sessions with. */
    private static final long SUPER_SECRET = 0XB3415C00L;

    private final HttpClient client = HttpClient.newHttpClient();

    private final ObjectMapper json = new ObjectMapper();

    /** Ends the session that an entry belongs to, and with it the entry. */
    void expireSession(String path) throws Exception {
        String address = AllServers.of("zookeeper").url().substring("zookeeper://".length());
        ZooKeeper foreign = new ZooKeeper(address, 10_000, event -> {});
        try {
            Stat stat = foreign.exists(path, false);
            if (stat == null) {
                throw new IllegalStateException("no entry at " + path);
            }
            expire(address, stat.getEphemeralOwner());
        } finally {
            foreign.close();
        }
    }

    private static void expire(String address, long session) throws Exception {
        byte[] password = new byte[16];
        new Random(session ^ SUPER_SECRET).nextBytes(password);
        ZooKeeper twin = new ZooKeeper(address, 10_000, event -> {}, session, password);
        try {
            // Reading makes it the session's connection, and closing it the session's end.
            twin.exists("/", false);
        } finally {
            twin.close();
        }
    }

    /** Revokes all leases, and with them the entries. */
    void revokeLeases() throws Exception {
        for (JsonNode lease : etcd("lease/leases", "{}").path("leases")) {
            etcd("lease/revoke", "{\"ID\": \"" + lease.path("ID").asText() + "\"}");
        }
    }

    /** How many watches etcd's clients have. */
    long etcdWatches() throws Exception {
        return etcdMetrics()
                .lines()
                .filter(line -> line.startsWith("etcd_debugging_mvcc_watcher_total "))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    private String etcdMetrics() throws IOException, InterruptedException {
        URI metrics = URI.create(AllServers.of("etcd").url().replace("etcd:", "http:") + "/metrics");
        return client.send(HttpRequest.newBuilder(metrics).build(), BodyHandlers.ofString())
                .body();
    }

    private JsonNode etcd(String call, String body) throws IOException, InterruptedException {
        URI uri = URI.create(AllServers.of("etcd").url().replace("etcd:", "http:") + "/v3/" + call);
        HttpRequest request =
                HttpRequest.newBuilder(uri).POST(BodyPublishers.ofString(body)).build();
        return json.readTree(client.send(request, BodyHandlers.ofString()).body());
    }

    /** Closes all connections to Redis. */
    void killConnections() {
        try (RedisServerProcess.RawConnection connection = ((RedisServerProcess) AllServers.of("redis")).raw()) {
            connection.send("CLIENT KILL TYPE pubsub");
            connection.readUntil(":");
            connection.send("CLIENT KILL TYPE normal");
            connection.readUntil(":");
        }
    }
}
