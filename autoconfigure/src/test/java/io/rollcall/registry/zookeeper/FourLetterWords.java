package io.rollcall.registry.zookeeper;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** Asks a server how it is. */
public final class FourLetterWords {

    private FourLetterWords() {}

    public static long figure(int port, String name) throws IOException {
        return ask(port, "mntr")
                .lines()
                .map(line -> line.split("\t"))
                .filter(parts -> parts[0].equals(name))
                .mapToLong(parts -> Long.parseLong(parts[1]))
                .findFirst()
                .orElseThrow(() -> new IOException("the server tells no " + name));
    }

    public static String ask(int port, String word) throws IOException {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress("127.0.0.1", port), 1000);
            socket.setSoTimeout(5000);
            socket.getOutputStream().write(word.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
        }
    }
}
