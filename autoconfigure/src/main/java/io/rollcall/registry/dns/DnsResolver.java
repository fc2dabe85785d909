package io.rollcall.registry.dns;

import io.rollcall.registry.Listing;
import io.rollcall.registry.Resolver;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/** Reads services, as long as their last answer is valid from memory. */
final class DnsResolver implements Resolver {

    private static final Listing NOTHING = new Listing(List.of(), Set.of(), List.of(), null, null);

    private final RecordReader reader;

    private final DnsWatches watches;

    DnsResolver(RecordReader reader, DnsWatches watches) {
        this.reader = reader;
        this.watches = watches;
    }

    @Override
    public Listing lookup(String service) throws IOException, InterruptedException {
        if (!isName(service)) {
            return NOTHING;
        }
        Answer valid = watches.valid(service);
        if (valid != null) {
            return valid.listing();
        }
        Answer answer = reader.read(service);
        watches.take(service, answer);
        return answer.listing();
    }

    private boolean isName(String service) {
        return DnsNames.isValid(service) && DnsNames.isValid(reader.name(service));
    }

    /** DNS does not name its services: those that are in use and have an instance. */
    @Override
    public Set<String> services() {
        return watches.present();
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws IOException, InterruptedException {
        return isName(service) ? watches.open(service, listener) : () -> {};
    }
}
