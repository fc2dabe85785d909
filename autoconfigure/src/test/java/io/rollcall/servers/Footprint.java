package io.rollcall.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process holds: its threads by their names without numbers, and its sockets in whatever state by the port at the other end. The
 * sockets are known on Linux only.
 */
public record Footprint(Map<String, Long> threads, Map<String, Long> sockets) {

    public static final boolean SEES_SOCKETS = Files.exists(Path.of("/proc/self/net/tcp"));

    /** Of a line in the system's table of connections: the ports at both ends, and the inode. */
    private static final Pattern CONNECTION = Pattern.compile(
            "\\s*\\d+: \\p{XDigit}+:(\\p{XDigit}{4}) \\p{XDigit}+:(\\p{XDigit}{4}) \\p{XDigit}{2}(?: +\\S+){5} +(\\d+) .*");

    /** Takes it now. */
    public static Footprint now() {
        return now(-1);
    }

    /**
     * Takes it now.
     *
     * @param ignored a port whose connections do not count
     */
    public static Footprint now(int ignored) {
        Map<String, Long> threads = count(Thread.getAllStackTraces().keySet().stream()
                .map(thread -> thread.getName().replaceAll("\\d+", "#")));
        return new Footprint(threads, SEES_SOCKETS ? sockets(ignored) : Map.of());
    }

    private static Map<String, Long> sockets(int ignored) {
        Map<String, String> peers = peers(ignored);
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return count(descriptors
                    .map(Footprint::target)
                    .filter(target -> target.startsWith("socket:"))
                    .map(target -> peers.getOrDefault(target, "of no connection"))
                    .filter(peer -> !peer.isEmpty()));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** The other ends of all connections, by the name that descriptors have for a socket; of those that do not count, nothing. */
    private static Map<String, String> peers(int ignored) {
        Map<String, String> peers = new TreeMap<>();
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            lines(Path.of(table)).map(CONNECTION::matcher).forEach(connection -> {
                if (connection.matches()) {
                    int local = Integer.parseInt(connection.group(1), 16);
                    int remote = Integer.parseInt(connection.group(2), 16);
                    String peer = local == ignored || remote == ignored ? "" : "to port " + remote;
                    peers.put("socket:[" + connection.group(3) + "]", peer);
                }
            });
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

    private static Stream<String> lines(Path table) {
        try {
            return Files.readAllLines(table).stream();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static Map<String, Long> count(Stream<String> names) {
        return names.collect(Collectors.groupingBy(Function.identity(), TreeMap::new, Collectors.counting()));
    }

    /** The same but for threads whose names begin so. */
    public Footprint withoutThreads(List<String> names) {
        Map<String, Long> others = new TreeMap<>(threads);
        others.keySet().removeIf(name -> names.stream().anyMatch(name::startsWith));
        return new Footprint(others, sockets);
    }

    /** What there is more of than in another. */
    public List<String> beyond(Footprint before) {
        return beyond(before, 0);
    }

    /**
     * What there is more of than in another, and more than pools of connections may have more at one time than at another.
     *
     * @param spare so many more of each kind are no leak
     */
    public List<String> beyond(Footprint before, int spare) {
        List<String> more = new ArrayList<>();
        compare("thread ", before.threads, threads, spare, more);
        compare("socket ", before.sockets, sockets, spare, more);
        return more;
    }

    private static void compare(
            String what, Map<String, Long> before, Map<String, Long> now, int spare, List<String> more) {
        now.forEach((name, count) -> {
            long known = before.getOrDefault(name, 0L);
            if (count > known + spare) {
                more.add(what + name + ": " + count + " instead of " + known);
            }
        });
    }
}
