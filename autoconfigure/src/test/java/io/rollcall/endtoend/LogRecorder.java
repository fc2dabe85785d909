package io.rollcall.endtoend;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.slf4j.LoggerFactory;

/** Everything that is logged while it is open, by whomever. To be opened when all applications have started. */
final class LogRecorder extends AppenderBase<ILoggingEvent> implements AutoCloseable {

    /** What lines about registries of a kind contain: its name, and those of its client's loggers and threads. */
    private static final List<List<String>> CLIENTS = List.of(
            List.of("redis", "lettuce"),
            List.of("zookeeper", "zookeeper", "curator"),
            List.of("etcd", "etcd", "io.grpc"),
            List.of("nacos", "nacos"),
            List.of("consul", "consul"),
            List.of("eureka", "eureka", "jdk.internal.httpclient"));

    private final Logger root = (Logger) LoggerFactory.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);

    private final Queue<String> lines = new ConcurrentLinkedQueue<>();

    LogRecorder() {
        setContext(root.getLoggerContext());
        start();
        root.addAppender(this);
    }

    @Override
    protected void append(ILoggingEvent event) {
        lines.add(event.getLoggerName() + " [" + event.getThreadName() + "] " + event.getFormattedMessage());
    }

    /** Whether it still gets anything: some things that happen to a logging system end that silently. */
    boolean isRecording() {
        String marker = "recording-" + System.nanoTime();
        LoggerFactory.getLogger(LogRecorder.class).info(marker);
        return lines.removeIf(line -> line.endsWith(marker));
    }

    /** The lines that have to do with registries of that kind. */
    List<String> about(String kind) {
        return lines.stream().filter(line -> isAbout(line, kind)).toList();
    }

    /** The lines that have to do with none of these kinds. */
    List<String> aboutNone(List<String> kinds) {
        List<String> none = new ArrayList<>(lines);
        none.removeIf(line -> kinds.stream().anyMatch(kind -> isAbout(line, kind)));
        return none;
    }

    /** How many lines each logger has written. */
    Map<String, Long> byLogger() {
        return lines.stream()
                .collect(Collectors.groupingBy(
                        line -> line.substring(0, line.indexOf(' ')), TreeMap::new, Collectors.counting()));
    }

    private static boolean isAbout(String line, String kind) {
        return CLIENTS.stream()
                .filter(client -> client.get(0).equals(kind))
                .anyMatch(client -> client.stream().anyMatch(line.toLowerCase()::contains));
    }

    @Override
    public void close() {
        root.detachAppender(this);
        stop();
    }
}
