package io.rollcall.container;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process holds that a leak would add to.
 *
 * @param threads how many there are of each name, in which numbers do not count
 * @param sockets how many file descriptors are sockets, by the port of the other end
 * @param heap bytes in use after a garbage collection
 */
record Footprint(Map<String, Long> threads, Map<String, Long> sockets, long heap) {

    static Footprint now() {
        // What waits for a collection to be released, such as the selector of a JDK HttpClient, is not a leak.
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long heap = runtime.totalMemory() - runtime.freeMemory();
        Map<String, Long> threads = Thread.getAllStackTraces().keySet().stream()
                .collect(Collectors.groupingBy(
                        thread -> thread.getName().replaceAll("[0-9]+", "#"), TreeMap::new, Collectors.counting()));
        return new Footprint(threads, openSockets(), heap);
    }

    private static Map<String, Long> openSockets() {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            Map<String, String> peers = peers();
            return descriptors
                    .map(Footprint::target)
                    .filter(target -> target.startsWith("socket:"))
                    .collect(Collectors.groupingBy(
                            target -> peers.getOrDefault(target, "of another kind"),
                            TreeMap::new,
                            Collectors.counting()));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** The ports of the other ends of all sockets, by the name that descriptors have for a socket. */
    private static Map<String, String> peers() throws IOException {
        Map<String, String> peers = new TreeMap<>();
        for (String table : List.of("tcp", "tcp6")) {
            for (String line : Files.readAllLines(Path.of("/proc/self/net", table))) {
                String[] columns = line.strip().split("\\s+");
                if (columns.length > 9 && columns[2].contains(":") && !columns[2].startsWith("rem")) {
                    String port = columns[2].substring(columns[2].indexOf(':') + 1);
                    peers.put("socket:[" + columns[9] + "]", "to port " + Integer.parseInt(port, 16));
                }
            }
        }
        return peers;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException ex) {
            // Closed since it was listed.
            return "";
        }
    }

    /** Waits until this process holds no more than it did then, and says what it holds too much if that never comes. */
    static void awaitAsBefore(Footprint before, long moreHeap) {
        // On this thread, so that waiting takes none.
        await().pollInSameThread().atMost(Duration.ofSeconds(120)).untilAsserted(() -> {
            List<String> grown = now().beyond(before, moreHeap);
            if (!grown.isEmpty()) {
                throw new AssertionError("more than before: " + grown);
            }
        });
    }

    private List<String> beyond(Footprint before, long moreHeap) {
        Stream<String> moreMemory = heap > before.heap + moreHeap
                ? Stream.of(heap + " bytes of heap instead of " + before.heap)
                : Stream.empty();
        return Stream.of(
                        beyond("threads", threads, before.threads),
                        beyond("sockets", sockets, before.sockets),
                        moreMemory)
                .flatMap(more -> more)
                .toList();
    }

    private static Stream<String> beyond(String what, Map<String, Long> now, Map<String, Long> before) {
        return now.entrySet().stream()
                .filter(entry -> entry.getValue() > before.getOrDefault(entry.getKey(), 0L))
                .map(entry -> entry.getValue() + " " + what + " " + entry.getKey() + " instead of "
                        + before.getOrDefault(entry.getKey(), 0L));
    }
}
