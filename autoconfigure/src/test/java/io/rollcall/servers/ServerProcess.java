package io.rollcall.servers;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.awaitility.core.ConditionTimeoutException;

/** A child process that is a server: started, paused and killed. */
public final class ServerProcess {

    private final Path log;

    private final Process process;

    private ServerProcess(Path log, Process process) {
        this.log = log;
        this.process = process;
    }

    /**
     * Starts a server and waits until it is ready.
     *
     * @param directory its working directory, where its output goes to the file {@code log}
     * @param command what to run
     * @param ready whether it answers; may throw until it does
     */
    public static ServerProcess start(Path directory, List<String> command, Callable<Boolean> ready) {
        Path log = directory.resolve("log");
        try {
            ServerProcess server = new ServerProcess(
                    log,
                    new ProcessBuilder(command)
                            .directory(directory.toFile())
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start());
            Runtime.getRuntime().addShutdownHook(new Thread(server.process::destroyForcibly));
            server.awaitReady(ready);
            return server;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private void awaitReady(Callable<Boolean> ready) throws IOException {
        try {
            await().atMost(Duration.ofMinutes(3))
                    .pollInterval(Duration.ofMillis(50))
                    .ignoreExceptionsMatching(ex -> process.isAlive())
                    .until(() -> checkAlive() && ready.call());
        } catch (ConditionTimeoutException ex) {
            // Nobody gets to know it, so nobody else could end it.
            kill();
            throw new IllegalStateException("The server is not ready:\n" + Files.readString(log), ex);
        }
    }

    private boolean checkAlive() throws IOException {
        if (!process.isAlive()) {
            throw new IllegalStateException("The server has ended:\n" + Files.readString(log));
        }
        return true;
    }

    /** Whether it has not ended; a paused one is alive. */
    public boolean isAlive() {
        return process.isAlive();
    }

    /** It keeps its connections, accepts new ones, and does nothing. */
    public void pause() {
        signal("STOP");
    }

    /** Goes on after {@link #pause}. */
    public void resume() {
        signal("CONT");
    }

    /** Asks it to end, as SIGTERM does, and waits until it has. */
    public void terminate() {
        process.destroy();
        await().atMost(Duration.ofMinutes(5)).until(() -> !process.isAlive());
    }

    /** Ends it at once. */
    public void kill() {
        try {
            process.destroyForcibly().waitFor(30, TimeUnit.SECONDS);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    private void signal(String name) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
            if (kill.waitFor() != 0) {
                throw new IllegalStateException("kill -" + name + " failed");
            }
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        } catch (InterruptedException ex) {
            throw new IllegalStateException(ex);
        }
    }

    /** A temporary directory. */
    public static Path directory(String name) {
        try {
            return Files.createTempDirectory(name);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Writes a configuration file. */
    public static void write(Path file, String content) {
        try {
            Files.writeString(file, content);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * The command that runs a Java program in little memory and with a quick start.
     *
     * @param classPath its class path
     * @param arguments system properties, main class and arguments
     */
    public static List<String> java(String classPath, String... arguments) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                classPath));
        command.addAll(List.of(arguments));
        return command;
    }

    /** The class path of the tests. */
    public static String testClassPath() {
        return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    }
}
