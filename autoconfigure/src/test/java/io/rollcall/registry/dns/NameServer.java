package io.rollcall.registry.dns;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** A name server on loopback that speaks DNS by UDP and TCP, and answers from a zone that tests change. */
final class NameServer implements AutoCloseable {

    private final DatagramSocket udp;

    private final ServerSocket tcp;

    private final Map<String, List<Record>> zone = new ConcurrentHashMap<>();

    private final AtomicInteger questions = new AtomicInteger();

    private volatile int code = Rcode.NOERROR;

    private volatile boolean truncates;

    private volatile boolean silent;

    NameServer() throws IOException {
        tcp = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        udp = new DatagramSocket(tcp.getLocalPort(), InetAddress.getLoopbackAddress());
        start("name-server-udp", this::serveUdp);
        start("name-server-tcp", this::serveTcp);
    }

    private interface Service {

        void run() throws IOException;
    }

    private void start(String name, Service service) {
        Thread thread = new Thread(
                () -> {
                    try {
                        service.run();
                    } catch (IOException ex) {
                        if (!udp.isClosed()) {
                            throw new UncheckedIOException(ex);
                        }
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return tcp.getLocalPort();
    }

    /** Replaces the records of a name and type, each in the form of a zone file: what is behind the type. */
    void put(String name, int type, long ttl, String... data) throws IOException {
        Name owner = Name.fromString(name, Name.root);
        List<Record> records = new CopyOnWriteArrayList<>();
        for (String each : data) {
            records.add(Record.fromString(owner, type, DClass.IN, ttl, each, Name.root));
        }
        zone.put(key(owner, type), records);
    }

    private static String key(Name name, int type) {
        return name.toString().toLowerCase(java.util.Locale.ROOT) + " " + Type.string(type);
    }

    void answersWith(int newCode) {
        code = newCode;
    }

    /** Answers by UDP hold nothing but the word that they do not fit. */
    void truncates() {
        truncates = true;
    }

    void silent(boolean now) {
        silent = now;
    }

    int questions() {
        return questions.get();
    }

    private void serveUdp() throws IOException {
        DatagramPacket packet = new DatagramPacket(new byte[4096], 4096);
        while (true) {
            udp.receive(packet);
            if (!silent) {
                byte[] answer = answer(Arrays.copyOf(packet.getData(), packet.getLength()), truncates);
                udp.send(new DatagramPacket(answer, answer.length, packet.getSocketAddress()));
            }
        }
    }

    private void serveTcp() throws IOException {
        while (true) {
            try (Socket socket = tcp.accept()) {
                DataInputStream in = new DataInputStream(socket.getInputStream());
                byte[] answer = answer(in.readNBytes(in.readUnsignedShort()), false);
                DataOutputStream out = new DataOutputStream(socket.getOutputStream());
                out.writeShort(answer.length);
                out.write(answer);
            }
        }
    }

    private byte[] answer(byte[] data, boolean truncated) throws IOException {
        questions.incrementAndGet();
        Message query = new Message(data);
        Record question = query.getQuestion();
        Message answer = new Message(query.getHeader().getID());
        Header header = answer.getHeader();
        header.setFlag(Flags.QR);
        header.setRcode(code);
        answer.addRecord(question, Section.QUESTION);
        List<Record> records = zone.get(key(question.getName(), question.getType()));
        if (truncated) {
            header.setFlag(Flags.TC);
        } else if (records != null && code == Rcode.NOERROR) {
            records.forEach(record -> answer.addRecord(record, Section.ANSWER));
        } else if (code == Rcode.NOERROR) {
            header.setRcode(Rcode.NXDOMAIN);
        }
        return answer.toWire();
    }

    @Override
    public void close() throws IOException {
        udp.close();
        tcp.close();
    }
}
