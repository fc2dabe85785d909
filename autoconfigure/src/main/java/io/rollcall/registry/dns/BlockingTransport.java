package io.rollcall.registry.dns;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.io.IoClientFactory;
import org.xbill.DNS.io.TcpIoClient;
import org.xbill.DNS.io.UdpIoClient;

/**
 * Exchanges messages on the caller's thread and a socket for each, where the library would have a thread for the whole JVM that
 * never ends. Thread-safe.
 */
final class BlockingTransport implements IoClientFactory, UdpIoClient, TcpIoClient {

    @Override
    public TcpIoClient createOrGetTcpClient() {
        return this;
    }

    @Override
    public UdpIoClient createOrGetUdpClient() {
        return this;
    }

    private interface Exchange {

        byte[] run() throws IOException;
    }

    private static CompletableFuture<byte[]> complete(Exchange exchange) {
        try {
            return CompletableFuture.completedFuture(exchange.run());
        } catch (IOException ex) {
            return CompletableFuture.failedFuture(ex);
        }
    }

    @Override
    public CompletableFuture<byte[]> sendAndReceiveUdp(
            @Nullable InetSocketAddress local,
            InetSocketAddress remote,
            Message query,
            byte[] data,
            int max,
            Duration timeout) {
        return complete(() -> udp(remote, data, max, deadline(timeout)));
    }

    private static byte[] udp(InetSocketAddress remote, byte[] data, int max, long deadline) throws IOException {
        // A socket of its own has a port that nobody can guess, and connected it hears that server only.
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(remote);
            socket.send(new DatagramPacket(data, data.length));
            DatagramPacket answer = new DatagramPacket(new byte[max], max);
            do {
                socket.setSoTimeout(remaining(deadline));
                socket.receive(answer);
            } while (!isAnswer(answer, data));
            return Arrays.copyOf(answer.getData(), answer.getLength());
        }
    }

    /** Whether it has the query's number: a late answer to another query must not end the wait for this one's. */
    private static boolean isAnswer(DatagramPacket answer, byte[] query) {
        return answer.getLength() > 2 && answer.getData()[0] == query[0] && answer.getData()[1] == query[1];
    }

    @Override
    public CompletableFuture<byte[]> sendAndReceiveTcp(
            @Nullable InetSocketAddress local, InetSocketAddress remote, Message query, byte[] data, Duration timeout) {
        return complete(() -> tcp(remote, data, deadline(timeout)));
    }

    private static byte[] tcp(InetSocketAddress remote, byte[] data, long deadline) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(remote, remaining(deadline));
            new DataOutputStream(socket.getOutputStream())
                    .write(ByteBuffer.allocate(2 + data.length)
                            .putShort((short) data.length)
                            .put(data)
                            .array());
            DataInputStream from = new DataInputStream(socket.getInputStream());
            socket.setSoTimeout(remaining(deadline));
            byte[] answer = new byte[from.readUnsignedShort()];
            for (int read = 0; read < answer.length; ) {
                socket.setSoTimeout(remaining(deadline));
                int length = from.read(answer, read, answer.length - read);
                if (length < 0) {
                    throw new IOException("the answer ends too soon");
                }
                read += length;
            }
            return answer;
        }
    }

    private static long deadline(Duration timeout) {
        return System.nanoTime() + timeout.toNanos();
    }

    private static int remaining(long deadline) throws SocketTimeoutException {
        long millis = (deadline - System.nanoTime()) / 1_000_000;
        if (millis <= 0) {
            throw new SocketTimeoutException("no answer in time");
        }
        return (int) Math.min(millis, Integer.MAX_VALUE);
    }
}
