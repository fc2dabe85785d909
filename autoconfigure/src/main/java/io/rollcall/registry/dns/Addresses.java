package io.rollcall.registry.dns;

import io.rollcall.registry.Instance;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Each address of a service's name is an instance, all with the same port. */
final class Addresses implements RecordReader {

    private final DnsClient client;

    private final DnsSettings settings;

    Addresses(DnsClient client, DnsSettings settings) {
        this.client = client;
        this.settings = settings;
    }

    @Override
    public String name(String service) {
        return settings.prefix() + service + settings.suffix();
    }

    @Override
    public Answer read(String service) throws IOException, InterruptedException {
        Answer.Builder answer = new Answer.Builder();
        boolean ipv6 = settings.lookup() == DnsSettings.Lookup.AAAA;
        for (InetAddress address : addresses(client, name(service), ipv6, answer)) {
            String host = address.getHostAddress();
            int port = settings.port();
            answer.add(
                    new Instance(service + "-" + host + "-" + port, service, host, port, settings.secure(), Map.of()));
        }
        return answer.build();
    }

    /** IPv4 addresses, else IPv6 ones: an instance that has both shall not be counted twice. */
    static List<InetAddress> addresses(DnsClient client, String name, boolean ipv6, Answer.Builder answer)
            throws IOException, InterruptedException {
        if (!ipv6) {
            List<InetAddress> addresses = addresses(client.ask(name, Type.A), answer);
            if (!addresses.isEmpty()) {
                return addresses;
            }
        }
        return addresses(client.ask(name, Type.AAAA), answer);
    }

    private static List<InetAddress> addresses(Message message, Answer.Builder answer) {
        List<InetAddress> addresses = new ArrayList<>();
        for (Record record : message.getSection(Section.ANSWER)) {
            // The way there may lead by aliases, which are no longer valid than what they lead to.
            answer.validFor(record);
            if (record instanceof ARecord ipv4) {
                addresses.add(ipv4.getAddress());
            } else if (record instanceof AAAARecord ipv6) {
                addresses.add(ipv6.getAddress());
            }
        }
        if (addresses.isEmpty()) {
            answer.validForLackOf(message);
        }
        return addresses;
    }
}
