package io.rollcall.registry.dns;

import io.rollcall.registry.Instance;
import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SRVRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/**
 * Service records (RFC 2782). An instance that is called by TLS has the record's target for its host, since its certificate names that;
 * another has the target's address, by which it is recognized in other registries, and which the caller's own DNS need not know.
 */
final class ServiceRecords implements RecordReader {

    private final DnsClient client;

    private final DnsSettings settings;

    ServiceRecords(DnsClient client, DnsSettings settings) {
        this.client = client;
        this.settings = settings;
    }

    @Override
    public String name(String service) {
        return settings.prefix() + service + settings.suffix();
    }

    @Override
    public Answer read(String service) throws IOException, InterruptedException {
        Message message = client.ask(name(service), Type.SRV);
        Answer.Builder answer = new Answer.Builder();
        List<SRVRecord> records = new ArrayList<>();
        for (Record record : message.getSection(Section.ANSWER)) {
            answer.validFor(record);
            // The root as its target says that there is no such service.
            if (record instanceof SRVRecord srv && !srv.getTarget().equals(Name.root)) {
                records.add(srv);
            }
        }
        if (records.isEmpty()) {
            answer.validForLackOf(message);
        }
        Map<Name, List<InetAddress>> known = additional(message, answer);
        Weights weights = Weights.of(records);
        for (SRVRecord record : records) {
            for (String host : hosts(record.getTarget(), known, answer)) {
                add(service, host, record, weights, answer);
            }
        }
        return answer.build();
    }

    private List<String> hosts(Name target, Map<Name, List<InetAddress>> known, Answer.Builder answer)
            throws IOException, InterruptedException {
        String name = target.toString(true);
        if (settings.secure()) {
            return List.of(name);
        }
        List<InetAddress> addresses = known.get(target);
        if (addresses == null) {
            addresses = Addresses.addresses(client, name, false, answer);
        }
        if (addresses.isEmpty()) {
            answer.reject(name, "it has no address");
        }
        return addresses.stream().map(InetAddress::getHostAddress).toList();
    }

    private void add(String service, String host, SRVRecord record, Weights weights, Answer.Builder answer) {
        try {
            answer.add(new Instance(
                    service + "-" + host + "-" + record.getPort(),
                    service,
                    host,
                    record.getPort(),
                    settings.secure(),
                    weights.metadata(record)));
        } catch (IllegalArgumentException ex) {
            answer.reject(record.getTarget() + ":" + record.getPort(), String.valueOf(ex.getMessage()));
        }
    }

    private static Map<Name, List<InetAddress>> additional(Message message, Answer.Builder answer) {
        Map<Name, List<InetAddress>> ipv4 = new HashMap<>();
        Map<Name, List<InetAddress>> ipv6 = new HashMap<>();
        for (Record record : message.getSection(Section.ADDITIONAL)) {
            if (record instanceof ARecord address) {
                answer.validFor(record);
                ipv4.computeIfAbsent(record.getName(), name -> new ArrayList<>())
                        .add(address.getAddress());
            } else if (record instanceof AAAARecord address) {
                answer.validFor(record);
                ipv6.computeIfAbsent(record.getName(), name -> new ArrayList<>())
                        .add(address.getAddress());
            }
        }
        ipv6.forEach(ipv4::putIfAbsent);
        return ipv4;
    }
}
