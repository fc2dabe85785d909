package io.rollcall.servers;

import java.nio.file.Path;
import org.springframework.util.FileSystemUtils;

/** A registry's server in a child process and a directory of its own. A registry adds how it is started and made to forget. */
public abstract class ChildServer implements RegistryServer {

    private final String kind;

    private final int port;

    private final Path directory;

    private ServerProcess process;

    protected ChildServer(String kind) {
        this(kind, Ports.reserve());
    }

    protected ChildServer(String kind, int port) {
        this.kind = kind;
        this.port = port;
        this.directory = ServerProcess.directory(kind);
    }

    /** Starts the process and returns when it answers. */
    protected abstract ServerProcess launch();

    /** Its working directory, which is there until {@link #close}. */
    protected final Path directory() {
        return directory;
    }

    /** Whether it has been started and not ended. */
    protected final boolean isRunning() {
        return process != null && process.isAlive();
    }

    public final int port() {
        return port;
    }

    /** {@code host:port}. */
    public final String address() {
        return "127.0.0.1:" + port;
    }

    @Override
    public final String kind() {
        return kind;
    }

    @Override
    public String url() {
        return kind + "://" + address();
    }

    @Override
    public final void start() {
        process = launch();
    }

    @Override
    public final void kill() {
        process.kill();
    }

    @Override
    public final void pause() {
        process.pause();
    }

    @Override
    public final void resume() {
        process.resume();
    }

    /** Removes what it keeps in a part of its directory, for which it is not running. */
    protected final void forget(String kept) {
        boolean running = isRunning();
        if (running) {
            kill();
        }
        FileSystemUtils.deleteRecursively(directory.resolve(kept).toFile());
        if (running) {
            start();
        }
    }

    @Override
    public void close() {
        if (process != null) {
            kill();
        }
        FileSystemUtils.deleteRecursively(directory.toFile());
    }
}
