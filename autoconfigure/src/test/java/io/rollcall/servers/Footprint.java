package io.rollcall.endtoend;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What this process holds: its threads by their names without numbers, and its sockets by the port at the other end. The sockets are known
 * on Linux only.
 */
record Footprint(Map<String, Long> threads, Map<String, Long> sockets) {

    static final boolean SEES_SOCKETS = Files.exists(Path.of("/proc/self/net/tcp"));

    /**
     * Those that come and go with the load, with the wait of a test and with child processes, and those of the Redis client, which starts
     * the second of its two when it is first needed.
     */
    private static final List<String> OTHERS = List.of(
            "http-nio",
            "HttpClient",
            "pool-",
            "reactor",
            "ForkJoinPool",
            "awaitility",
            "process reaper",
            "Thread-",
            "rollcall-redis-eventExecutorLoop");

    /** Of a line in the system's table of connections: the addresses, the state "established", and the inode. */
    private static final Pattern CONNECTION = Pattern.compile(
            "\\s*\\d+: \\p{XDigit}+:(\\p{XDigit}{4}) \\p{XDigit}+:(\\p{XDigit}{4}) 01(?: +\\S+){5} +(\\d+) .*");

    /**
     * Takes it now.
     *
     * @param ignored a port whose connections do not count
     */
    static Footprint now(int ignored) {
        Map<String, Long> threads = count(Thread.getAllStackTraces().keySet().stream()
                .map(thread -> thread.getName().replaceAll("\\d+", "#"))
                .filter(name -> OTHERS.stream().noneMatch(name::startsWith)));
        return new Footprint(threads, SEES_SOCKETS ? sockets(ignored) : Map.of());
    }

    private static Map<String, Long> sockets(int ignored) {
        Set<String> own = ownInodes();
        List<String> ports = new ArrayList<>();
        for (String table : List.of("/proc/self/net/tcp", "/proc/self/net/tcp6")) {
            lines(Path.of(table)).map(CONNECTION::matcher).forEach(connection -> {
                if (connection.matches() && own.contains(connection.group(3))) {
                    int local = Integer.parseInt(connection.group(1), 16);
                    int remote = Integer.parseInt(connection.group(2), 16);
                    if (local != ignored && remote != ignored) {
                        ports.add("to port " + remote);
                    }
                }
            });
        }
        return count(ports.stream());
    }

    private static Set<String> ownInodes() {
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd"))) {
            return descriptors
                    .map(Footprint::target)
                    .filter(target -> target.startsWith("socket:["))
                    .map(target -> target.substring("socket:[".length(), target.length() - 1))
                    .collect(Collectors.toSet());
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
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

    /** What there is more of than in another. */
    List<String> beyond(Footprint before) {
        List<String> more = new ArrayList<>();
        compare("thread ", before.threads, threads, more);
        compare("socket ", before.sockets, sockets, more);
        return more;
    }

    private static void compare(String what, Map<String, Long> before, Map<String, Long> now, List<String> more) {
        now.forEach((name, count) -> {
            long known = before.getOrDefault(name, 0L);
            if (count > known) {
                more.add(what + name + ": " + count + " instead of " + known);
            }
        });
    }
}
