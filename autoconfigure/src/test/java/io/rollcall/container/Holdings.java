package io.rollcall.container;

import static org.awaitility.Awaitility.await;

import io.rollcall.endtoend.AllServers;
import io.rollcall.registry.zookeeper.FourLetterWords;
import io.rollcall.registry.zookeeper.ZookeeperProcess;
import io.rollcall.servers.Footprint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.TestReporter;

/**
 * What leaks would add to, in this process and at the servers.
 *
 * @param heap bytes in use after a garbage collection
 * @param zookeeperWatches as the server counts them
 * @param zookeeperConnections as the server counts them, with the one that asks
 * @param etcdWatches as the server counts them
 */
record Holdings(Footprint footprint, long heap, long zookeeperWatches, long zookeeperConnections, long etcdWatches) {

    /** What leaks does so at every one of fifty times; a pool may have a few connections more at one time than at another. */
    private static final int SPARE = 5;

    /** How much may come and go: far less than fifty contexts, sessions or a thousand names with their watches would leave behind. */
    private static final long SOME_HEAP = 3_000_000;

    /** What the JVM, and those who wait for child processes, start and end as they like. */
    private static final List<String> OTHER_THREADS = List.of("process reaper", "ForkJoinPool.commonPool");

    private static Holdings now(ForcedLosses losses) throws Exception {
        // What waits for a collection to be released, such as the selector of a JDK HttpClient, is not a leak.
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long heap = runtime.totalMemory() - runtime.freeMemory();
        return new Holdings(
                Footprint.now().withoutThreads(OTHER_THREADS),
                heap,
                zookeeper("zk_watch_count"),
                zookeeper("zk_num_alive_connections"),
                losses.etcdWatches());
    }

    private static long zookeeper(String figure) throws Exception {
        return FourLetterWords.figure(((ZookeeperProcess) AllServers.of("zookeeper")).port(), figure);
    }

    /** What is held when what is closing has closed: twice in a row no more than before. */
    static Holdings settled(ForcedLosses losses) throws Exception {
        List<Holdings> taken = new ArrayList<>(List.of(now(losses)));
        await().pollInSameThread()
                .pollInterval(Duration.ofSeconds(1))
                .atMost(Duration.ofSeconds(60))
                .until(() -> {
                    Holdings last = taken.get(taken.size() - 1);
                    taken.add(now(losses));
                    return last.beyond(taken.get(taken.size() - 1)).isEmpty();
                });
        return taken.get(taken.size() - 1);
    }

    /** Waits until no more is held than this, and says what is too much if that never comes. */
    void awaitAgain(ForcedLosses losses, TestReporter reporter) {
        await().pollInSameThread().atMost(Duration.ofSeconds(60)).untilAsserted(() -> {
            Holdings now = now(losses);
            List<String> more = now.beyond(this);
            if (!more.isEmpty()) {
                throw new AssertionError("more than before: " + more);
            }
            reporter.publishEntry("before", toString());
            reporter.publishEntry("after", now.toString());
        });
    }

    private List<String> beyond(Holdings before) {
        List<String> more = new ArrayList<>(footprint.beyond(before.footprint, SPARE));
        compare("bytes of heap", before.heap + SOME_HEAP, heap, more);
        compare("watches of ZooKeeper", before.zookeeperWatches, zookeeperWatches, more);
        compare("connections of ZooKeeper", before.zookeeperConnections, zookeeperConnections, more);
        compare("watches of etcd", before.etcdWatches, etcdWatches, more);
        return more;
    }

    private static void compare(String what, long most, long now, List<String> more) {
        if (now > most) {
            more.add(now + " " + what + " instead of " + most);
        }
    }
}
