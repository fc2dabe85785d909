package io.rollcall.servers;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Stands before a server. It can hold back what the connections so far send to it, even when they are closed meanwhile, and can cut
 * them.
 */
public final class HoldingProxy implements AutoCloseable {

    private final ServerSocket listening;

    private volatile int target;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final List<Connection> connections = new CopyOnWriteArrayList<>();

    private volatile boolean blocked;

    private HoldingProxy(ServerSocket listening, int target) {
        this.listening = listening;
        this.target = target;
    }

    /** A proxy on a port of its own, before that port of the loopback interface. */
    public static HoldingProxy to(int target) {
        return at(0, target);
    }

    /** The same on a given port. */
    public static HoldingProxy at(int port, int target) {
        try {
            HoldingProxy proxy = new HoldingProxy(new ServerSocket(port, 50, InetAddress.getLoopbackAddress()), target);
            proxy.threads.execute(proxy::accept);
            return proxy;
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    /** Where to connect instead of the server. */
    public int port() {
        return listening.getLocalPort();
    }

    /** From now on, new connections lead to that port; the present ones stay where they are. */
    public void redirect(int port) {
        target = port;
    }

    /** From now on, what the present connections send does not arrive. */
    public void hold() {
        connections.forEach(connection -> connection.gate = new CountDownLatch(1));
    }

    /** What was held back arrives. */
    public void release() {
        connections.forEach(connection -> connection.gate.countDown());
    }

    /** Ends all present connections, and new ones at once, until {@link #unblock}. */
    public void block() throws IOException {
        blocked = true;
        cut();
    }

    /** Lets new connections through again. */
    public void unblock() {
        blocked = false;
    }

    /** Ends all present connections; new ones are let through. */
    public void cut() throws IOException {
        for (Connection connection : connections) {
            connection.client.close();
            connection.server.close();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        release();
        cut();
        threads.shutdownNow();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                if (blocked) {
                    listening.accept().close();
                    continue;
                }
                Connection connection =
                        new Connection(listening.accept(), new Socket(InetAddress.getLoopbackAddress(), target));
                connections.add(connection);
                if (blocked) {
                    cut();
                }
                threads.execute(connection::requests);
                threads.execute(connection::answers);
            } catch (IOException ex) {
                // Closed, or a client that is gone already.
            }
        }
    }

    private static final class Connection {

        private final Socket client;

        private final Socket server;

        private volatile CountDownLatch gate = new CountDownLatch(0);

        private Connection(Socket client, Socket server) {
            this.client = client;
            this.server = server;
        }

        void requests() {
            try (InputStream from = client.getInputStream()) {
                byte[] buffer = new byte[65536];
                for (int length = from.read(buffer); length >= 0; length = from.read(buffer)) {
                    gate.await();
                    server.getOutputStream().write(buffer, 0, length);
                }
            } catch (IOException ex) {
                // The end of this connection.
            } catch (InterruptedException ex) {
                Thread.currentThread().interrupt();
            }
        }

        void answers() {
            try {
                server.getInputStream().transferTo(client.getOutputStream());
            } catch (IOException ex) {
                // The end of this connection.
            }
        }
    }
}
