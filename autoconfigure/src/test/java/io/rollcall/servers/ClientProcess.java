package io.rollcall.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.springframework.boot.json.JsonParserFactory;

/** A child process that uses a registry. It is told commands by lines, and tells what it sees by lines of JSON. */
public final class ClientProcess implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(90);

    private final Process process;

    private final Path errors;

    private final List<Map<String, Object>> told = new CopyOnWriteArrayList<>();

    private final List<String> logged = new CopyOnWriteArrayList<>();

    private ClientProcess(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroyForcibly));
        Thread reader = new Thread(this::read, "client-output");
        reader.setDaemon(true);
        reader.start();
    }

    static ClientProcess start(ProcessBuilder builder) throws IOException {
        Path errors = Files.createTempFile("client", ".log");
        return new ClientProcess(builder.redirectError(errors.toFile()).start(), errors);
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines().forEach(this::hear);
        } catch (IOException | UncheckedIOException ex) {
            // It has ended.
        }
    }

    private void hear(String line) {
        if (line.startsWith("{")) {
            told.add(JsonParserFactory.getJsonParser().parseMap(line));
        } else {
            logged.add(line);
        }
    }

    /** Gives it a command. */
    public void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Waits until it has told something, now or before.
     *
     * @return the last that it has told of that kind
     */
    public Map<String, Object> await(Predicate<Map<String, Object>> kind) {
        return await(kind, PATIENCE);
    }

    /** The same, no longer than a time. */
    public Map<String, Object> await(Predicate<Map<String, Object>> kind, Duration patience) {
        Awaitility.await().atMost(patience).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException(
                        "The client has ended:\n" + String.join("\n", logged) + "\n" + Files.readString(errors));
            }
            return told.stream().anyMatch(kind);
        });
        return told.stream().filter(kind).reduce((before, last) -> last).orElseThrow();
    }

    /** All that it has told. */
    public List<Map<String, Object>> told() {
        return List.copyOf(told);
    }

    /** Forgets what it has told so far. */
    public void forget() {
        told.clear();
    }

    /** Ends it as its own command does, and waits until it has gone. */
    public void end() {
        send("end");
        waitFor();
    }

    /** Ends it at once, as a crash would. */
    public void kill() {
        process.destroyForcibly();
        waitFor();
    }

    @Override
    public void close() {
        kill();
    }

    private void waitFor() {
        try {
            if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                throw new IllegalStateException("The client goes on");
            }
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }
}
