package io.rollcall.servers;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.springframework.boot.json.JsonParserFactory;

/**
 * A program in Node.js that uses a registry's usual client: one of the scripts in the tests' resources {@code node}, with the packages
 * named in their {@code package.json}. It is told commands by lines, and tells what it sees by lines of JSON.
 */
public final class NodeClient implements AutoCloseable {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Process process;

    private final Path errors;

    private final List<Map<String, Object>> told = new CopyOnWriteArrayList<>();

    private NodeClient(Process process, Path errors) {
        this.process = process;
        this.errors = errors;
        Thread reader = new Thread(this::read, "node-output");
        reader.setDaemon(true);
        reader.start();
    }

    /**
     * Starts a script.
     *
     * @param script its name without {@code .js}
     * @param arguments its arguments
     */
    public static NodeClient start(String script, String... arguments) {
        Path node = Requirements.program("node", "install Node.js 20 or later");
        Path npm = Requirements.program("npm", "install npm, which comes with Node.js");
        try {
            Path scripts = Path.of(NodeClient.class.getResource("/node").toURI());
            Path modules = install(npm, scripts.resolve("package.json"));
            Path errors = Files.createTempFile("node", ".log");
            List<String> command = new ArrayList<>(
                    List.of(node.toString(), scripts.resolve(script + ".js").toString()));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command).redirectError(errors.toFile());
            builder.environment().put("NODE_PATH", modules.toString());
            return new NodeClient(builder.start(), errors);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException | URISyntaxException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** Installs the packages once for a build; the tests run in several processes. */
    private static Path install(Path npm, Path description) throws IOException, InterruptedException {
        Path directory = Files.createDirectories(Path.of("target", "node").toAbsolutePath());
        try (FileChannel channel = FileChannel.open(
                        directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = channel.lock()) {
            String wanted = Files.readString(description);
            Path installed = directory.resolve("installed.json");
            if (!lock.isValid()
                    || !Files.exists(installed)
                    || !Files.readString(installed).equals(wanted)) {
                Files.writeString(directory.resolve("package.json"), wanted);
                run(
                        directory,
                        npm.toString(),
                        "install",
                        "--no-package-lock",
                        "--no-audit",
                        "--no-fund",
                        "--ignore-scripts");
                Files.writeString(installed, wanted);
            }
        }
        return directory.resolve("node_modules");
    }

    private static void run(Path directory, String... command) throws IOException, InterruptedException {
        Path log = directory.resolve("npm.log");
        Process process = new ProcessBuilder(command)
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        if (!process.waitFor(5, TimeUnit.MINUTES) || process.exitValue() != 0) {
            process.destroyForcibly();
            throw new IllegalStateException("npm has failed:\n" + Files.readString(log));
        }
    }

    private void read() {
        try (BufferedReader output = process.inputReader(StandardCharsets.UTF_8)) {
            output.lines()
                    .filter(line -> line.startsWith("{"))
                    .forEach(line -> told.add(JsonParserFactory.getJsonParser().parseMap(line)));
        } catch (IOException | UncheckedIOException ex) {
            // It has ended.
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
        Awaitility.await().atMost(PATIENCE).until(() -> {
            if (!process.isAlive()) {
                throw new IllegalStateException("The script has ended:\n" + Files.readString(errors));
            }
            return told.stream().anyMatch(kind);
        });
        return told.stream().filter(kind).reduce((before, last) -> last).orElseThrow();
    }

    /** All that it has told. */
    public List<Map<String, Object>> told() {
        return List.copyOf(told);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
