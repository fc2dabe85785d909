package io.rollcall.sample.demo;

import java.io.IOException;
import java.nio.file.Path;

/**
 * A registry's server on a free port of 127.0.0.1, which can be stopped and started again on the same port.
 * Looking at it never waits for that.
 */
interface RegistryServer extends AutoCloseable {

    /** The name and the URL that the applications are given. */
    String name();

    String url();

    /** Where its files are until it is closed. */
    Path directory();

    boolean isRunning();

    void start() throws IOException;

    void stop();

    /** Stops it and removes its files. */
    @Override
    void close();
}
