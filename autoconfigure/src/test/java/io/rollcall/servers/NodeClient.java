package io.rollcall.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A program in Node.js that uses a registry's usual client: one of the scripts in the tests' resources {@code node}, with the packages
 * named in their {@code package.json}.
 */
public final class NodeClient {

    private NodeClient() {}

    /**
     * Starts a script.
     *
     * @param script its name without {@code .js}
     * @param arguments its arguments
     */
    public static ClientProcess start(String script, String... arguments) {
        Path node = Requirements.program("node", "install Node.js 20 or later");
        Path modules = install();
        try {
            Path scripts = scripts();
            List<String> command = new ArrayList<>(
                    List.of(node.toString(), scripts.resolve(script + ".js").toString()));
            command.addAll(List.of(arguments));
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("NODE_PATH", modules.toString());
            return ClientProcess.start(builder);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Installs what the scripts need, which may take longer than an entry lives that nobody renews. */
    public static Path install() {
        try {
            return install(
                    Requirements.program("npm", "install npm, which comes with Node.js"),
                    scripts().resolve("package.json"));
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    private static Path scripts() {
        try {
            return Path.of(NodeClient.class.getResource("/node").toURI());
        } catch (URISyntaxException ex) {
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
}
