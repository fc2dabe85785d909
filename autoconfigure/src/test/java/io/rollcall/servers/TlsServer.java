package io.rollcall.servers;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.SSLSocket;

/** Shows its certificate to everybody, and hangs up on who has believed it and said something. */
public final class TlsServer implements AutoCloseable {

    private final SSLServerSocket listening;

    private final ExecutorService threads = Executors.newCachedThreadPool();

    private final AtomicInteger connections = new AtomicInteger();

    private final AtomicInteger believers = new AtomicInteger();

    /** @param context with the certificate */
    public TlsServer(SSLContext context) {
        try {
            listening = (SSLServerSocket)
                    context.getServerSocketFactory().createServerSocket(0, 50, InetAddress.getLoopbackAddress());
            SSLParameters parameters = listening.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"h2", "http/1.1"});
            listening.setSSLParameters(parameters);
            threads.execute(this::accept);
        } catch (IOException ex) {
            throw new UncheckedIOException(ex);
        }
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** How many have connected. */
    public int connections() {
        return connections.get();
    }

    /** How many have sent something that only they and this server can read. */
    public int believers() {
        return believers.get();
    }

    private void accept() {
        while (!listening.isClosed()) {
            try {
                SSLSocket socket = (SSLSocket) listening.accept();
                connections.incrementAndGet();
                threads.execute(() -> listen(socket));
            } catch (IOException ex) {
                // Closed.
            }
        }
    }

    private void listen(SSLSocket socket) {
        try (socket) {
            if (socket.getInputStream().read() >= 0) {
                believers.incrementAndGet();
            }
        } catch (IOException ex) {
            // The client has not believed it.
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
        threads.shutdownNow();
    }
}
