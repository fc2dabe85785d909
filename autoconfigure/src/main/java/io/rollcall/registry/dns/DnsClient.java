package io.rollcall.registry.dns;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.ResolverConfig;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.TextParseException;

/**
 * Asks the servers in turn until one of them answers, beginning with the one that did last. Each gets its share of the time; what does
 * not fit into one packet is asked for again by TCP. Thread-safe.
 */
final class DnsClient {

    private final List<InetSocketAddress> servers;

    private final Duration timeout;

    private final BlockingTransport transport = new BlockingTransport();

    private volatile int current;

    /**
     * @param servers to be resolved when they are asked; empty for the system's
     * @param timeout of one question to all servers
     */
    DnsClient(List<InetSocketAddress> servers, Duration timeout) {
        this.servers = List.copyOf(servers);
        this.timeout = timeout;
    }

    /**
     * Asks a question.
     *
     * @param name the whole name, without a dot at its end
     * @param type of {@link org.xbill.DNS.Type}
     * @return an answer with records, or one that says that there are none
     * @throws IOException if no server answered, or none knows whether there are any
     */
    Message ask(String name, int type) throws IOException, InterruptedException {
        Message query = Message.newQuery(Record.newRecord(absolute(name), type, DClass.IN));
        List<InetSocketAddress> all = servers.isEmpty() ? systemServers() : servers;
        int first = current;
        IOException failure = null;
        for (int i = 0; i < all.size(); i++) {
            int server = (first + i) % all.size();
            try {
                Message answer = ask(query, all.get(server), timeout.dividedBy(all.size()));
                current = server;
                return answer;
            } catch (IOException ex) {
                if (failure != null) {
                    ex.addSuppressed(failure);
                }
                failure = ex;
            }
        }
        throw failure != null ? failure : new IOException("the system names no DNS server");
    }

    private static Name absolute(String name) throws IOException {
        try {
            return Name.fromString(name, Name.root);
        } catch (TextParseException ex) {
            throw new IOException("no domain name: " + name, ex);
        }
    }

    /** They may change while we run. */
    private static List<InetSocketAddress> systemServers() {
        return ResolverConfig.getCurrentConfig().servers();
    }

    private Message ask(Message query, InetSocketAddress server, Duration share)
            throws IOException, InterruptedException {
        InetSocketAddress resolved = server.isUnresolved()
                ? new InetSocketAddress(InetAddress.getByName(server.getHostString()), server.getPort())
                : server;
        SimpleResolver resolver = new SimpleResolver(resolved);
        resolver.setIoClientFactory(transport);
        resolver.setTimeout(share);
        Message answer;
        try {
            answer = resolver.sendAsync(query, Runnable::run)
                    .toCompletableFuture()
                    .get();
        } catch (ExecutionException | CompletionException ex) {
            throw new IOException(server + " did not answer: " + ex.getCause(), ex);
        }
        int code = answer.getRcode();
        if (code != Rcode.NOERROR && code != Rcode.NXDOMAIN) {
            throw new IOException(server + " answered " + Rcode.string(code));
        }
        return answer;
    }
}
