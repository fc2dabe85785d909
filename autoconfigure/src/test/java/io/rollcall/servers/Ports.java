package io.rollcall.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.IntStream;

/**
 * Ports of the loopback interface, each reserved for this process until it ends. That nobody listens on a port now is not enough: a server
 * takes seconds until it does, tests stop theirs for a while, and tests of several processes run at the same time.
 *
 * <p>A reservation is a lock on one byte of a file that all such processes share. The system ends it with the process.
 */
public final class Ports {

    private static final int FIRST = 10_000;

    private static final int LAST = 30_000;

    private static final FileChannel RESERVATIONS = open();

    private Ports() {}

    /**
     * A port that nobody listens on, of those that no system gives to outgoing connections: one of these would take it while the server is
     * down, not least a client that waits for the server and so gets connected to itself.
     *
     * @param offsets of further ports that the same server uses, from the one returned
     */
    public static int reserve(int... offsets) {
        return IntStream.generate(() -> ThreadLocalRandom.current().nextInt(FIRST, LAST))
                .filter(port -> isReserved(port) && IntStream.of(offsets).allMatch(offset -> isReserved(port + offset)))
                .findFirst()
                .orElseThrow();
    }

    /** Reserves a port unless it is in use or somebody else's. */
    private static boolean isReserved(int port) {
        try {
            FileLock lock = RESERVATIONS.tryLock(port, 1, false);
            return lock != null && isFree(port);
        } catch (OverlappingFileLockException ex) {
            return false;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException ex) {
            return false;
        }
    }

    private static FileChannel open() {
        Path file =
                Path.of(System.getProperty("java.io.tmpdir"), "rollcall-test-ports-" + System.getProperty("user.name"));
        try {
            return FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }
}
