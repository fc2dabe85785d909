package io.rollcall.servers;

/**
 * A registry's real server in a process of its own, which a test can stop, pause and empty. It keeps its address for its whole life and
 * listens on loopback only.
 */
public interface RegistryServer extends AutoCloseable {

    /** The scheme of its URL, such as {@code redis}. */
    String kind();

    /** What an application gives as the registry's URL. */
    String url();

    /** Starts it, with the data it had if it keeps any, and returns when it answers. */
    void start();

    /** Kills it at once, as a crash would. */
    void kill();

    /** It keeps its connections, accepts new ones, and does nothing. */
    void pause();

    /** Goes on after {@link #pause}. */
    void resume();

    /** Makes it forget everything: while it runs, or else at its next start. */
    void wipe();

    /** Kills it and removes its files. */
    @Override
    void close();
}
