package io.rollcall.endtoend.propagation;

import io.rollcall.registry.consul.ConsulServer;
import io.rollcall.registry.etcd.EtcdServerProcess;
import io.rollcall.registry.eureka.EurekaServerProcess;
import io.rollcall.registry.nacos.NacosServerProcess;
import io.rollcall.registry.redis.RedisServerProcess;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import io.rollcall.servers.RegistryServer;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

/**
 * How long it takes until other applications know that an instance has come, has left or was killed: with Rollcall, and with the stock
 * Spring Cloud client of the same registry at the same time, all with their own defaults. No test: it runs when it is asked for by
 * {@code -Dtest=PropagationMeasurement}, and writes {@code target/propagation.md}.
 */
class PropagationMeasurement {

    private static final int ROUNDS = Integer.getInteger("propagation.rounds", 50);

    private static final int KILLS = Integer.getInteger("propagation.kills", 5);

    private static final Duration LIMIT = Duration.ofMinutes(Integer.getInteger("propagation.minutes", 5));

    private static final String KINDS = System.getProperty("propagation.kinds", ".*");

    private final List<RegistryServer> servers = Stream.of(
                    RedisServerProcess.stopped(),
                    new ZookeeperProcess(),
                    EtcdServerProcess.stopped(),
                    new ConsulServer(),
                    new NacosServerProcess(),
                    new EurekaServerProcess())
            .filter(server -> server.kind().matches(KINDS))
            .toList();

    @Test
    void measure() throws Exception {
        List<Future<List<String>>> results = new ArrayList<>();
        // Those with a stock client wait most of the time; Rollcall's take milliseconds, and would disturb each other.
        ExecutorService own = Executors.newFixedThreadPool(2);
        ExecutorService stock = Executors.newFixedThreadPool(2);
        try {
            servers.forEach(RegistryServer::start);
            for (RegistryServer server : servers) {
                results.add(own.submit(() -> Course.rollcall(server).run(ROUNDS, KILLS, LIMIT)));
                if (Course.hasStockClient(server.kind())) {
                    results.add(stock.submit(() -> Course.stock(server).run(ROUNDS, KILLS, LIMIT.multipliedBy(2))));
                }
            }
            List<String> rows = new ArrayList<>(List.of(
                    "| registry | client | after | rounds | listed, p50 | p99 | chosen, p50 | p99 |",
                    "|---|---|---|---|---|---|---|---|"));
            SoftAssertions failures = new SoftAssertions();
            for (Future<List<String>> result : results) {
                failures.assertThatCode(() -> rows.addAll(result.get())).doesNotThrowAnyException();
                Files.write(Path.of("target", "propagation.md"), rows);
            }
            failures.assertAll();
        } finally {
            own.shutdownNow();
            stock.shutdownNow();
            servers.forEach(RegistryServer::close);
        }
    }

    /** {@code host:port} of a server. */
    static String address(RegistryServer server) {
        return URI.create(server.url()).getAuthority();
    }
}
