package io.rollcall.endtoend.propagation;

import io.rollcall.servers.ClientProcess;
import io.rollcall.servers.RegistryServer;
import io.rollcall.servers.SpringClient;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The measurement of one client with one registry: a provider that comes, leaves and is killed, and a consumer that looks at it. */
final class Course {

    private static final Set<String> STOCK = Set.of("zookeeper", "consul", "nacos", "eureka");

    private static final Logger logger = LoggerFactory.getLogger(Course.class);

    private final String registry;

    private final String client;

    private final Function<String, ClientProcess> applications;

    /** Between two questions of the consumer. A stock client may ask its registry each time. */
    private final long pollMicros;

    /** At most, between two changes: so that they do not keep time with what the client repeats. */
    private final Duration pause;

    private final String service = "measured-" + UUID.randomUUID();

    private Course(
            String registry,
            String client,
            Function<String, ClientProcess> applications,
            long pollMicros,
            Duration pause) {
        this.registry = registry;
        this.client = client;
        this.applications = applications;
        this.pollMicros = pollMicros;
        this.pause = pause;
    }

    static boolean hasStockClient(String kind) {
        return STOCK.contains(kind);
    }

    static Course rollcall(RegistryServer server) {
        Duration pause = server.kind().equals("eureka") ? Duration.ofSeconds(5) : Duration.ofMillis(200);
        return new Course(server.kind(), "Rollcall", name -> SpringClient.rollcall(server.url(), name), 200, pause);
    }

    static Course stock(RegistryServer server) {
        String address = PropagationMeasurement.address(server);
        // By default Spring Cloud Consul lists instances whose checks fail too, for ever.
        String[] more = server.kind().equals("consul")
                ? new String[] {"spring.cloud.consul.discovery.query-passing=true"}
                : new String[0];
        return new Course(
                server.kind(),
                "stock",
                name -> SpringClient.stock(server.kind(), address, name, more),
                5000,
                Duration.ofSeconds(35));
    }

    /**
     * Measures.
     *
     * @param limit after which no round begins, of each sort
     * @return rows of the table
     */
    List<String> run(int rounds, int kills, Duration limit) throws InterruptedException {
        Times join = new Times();
        Times leave = new Times();
        Times kill = new Times();
        try (ClientProcess process = applications.apply("consumer-" + UUID.randomUUID())) {
            Consumer consumer = new Consumer(process);
            process.send("follow " + service + " " + pollMicros);
            long before = System.nanoTime();
            try (ClientProcess provider = applications.apply(service)) {
                consumer.awaitThere(before);
                long end = System.nanoTime() + limit.toNanos();
                // The first round warms up.
                for (int round = -1; round < rounds && System.nanoTime() < end; round++) {
                    long left = command(provider, "deregister", "deregistered");
                    Times.Pair gone = consumer.awaitGone(left);
                    rest();
                    long joined = command(provider, "register", "registered");
                    Times.Pair there = consumer.awaitThere(joined);
                    rest();
                    if (round >= 0) {
                        leave.add(gone);
                        join.add(there);
                    }
                }
                long ended = System.nanoTime();
                provider.send("end");
                consumer.awaitGone(ended);
            }
            long end = System.nanoTime() + limit.toNanos();
            for (int round = 0; round < kills && System.nanoTime() < end; round++) {
                long started = System.nanoTime();
                try (ClientProcess provider = applications.apply(service)) {
                    consumer.awaitThere(started);
                    rest();
                    long killed = System.nanoTime();
                    provider.kill();
                    kill.add(consumer.awaitGone(killed));
                }
            }
        }
        List<String> rows = List.of(
                join.row(registry, client, "join"),
                leave.row(registry, client, "leave"),
                kill.row(registry, client, "kill"));
        rows.forEach(logger::info);
        return rows;
    }

    private long command(ClientProcess provider, String command, String answer) {
        provider.forget();
        provider.send(command);
        return (Long) provider.await(told -> told.containsKey(answer)).get(answer);
    }

    private void rest() throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(RandomGenerator.getDefault().nextLong(pause.toNanos()));
    }
}
