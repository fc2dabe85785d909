package io.rollcall.registry.dns;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Section;

/**
 * What DNS answered for a service.
 *
 * @param listing the instances
 * @param ttl how long all records of it are valid
 */
record Answer(Listing listing, Duration ttl) {

    /** Collects an answer. */
    static final class Builder {

        private final List<Instance> instances = new ArrayList<>();

        private final List<RejectedRecord> rejected = new ArrayList<>();

        private @Nullable Duration ttl;

        void add(Instance instance) {
            instances.add(instance);
        }

        void reject(String key, String reason) {
            rejected.add(new RejectedRecord(key, reason));
        }

        /** It is not valid for longer than that. */
        void validFor(Record record) {
            validFor(record.getTTL());
        }

        /** For want of records it is valid for as long as the zone says. */
        void validForLackOf(Message message) {
            for (Record record : message.getSection(Section.AUTHORITY)) {
                if (record instanceof SOARecord zone) {
                    validFor(Math.min(zone.getTTL(), zone.getMinimum()));
                }
            }
        }

        private void validFor(long seconds) {
            Duration other = Duration.ofSeconds(seconds);
            if (ttl == null || other.compareTo(ttl) < 0) {
                ttl = other;
            }
        }

        Answer build() {
            // Nobody knows whether a name without records had some: what was there before stays in use for a while.
            String incarnation = instances.isEmpty() && rejected.isEmpty() ? null : "";
            return new Answer(
                    new Listing(instances, Set.of(), rejected, incarnation, null), ttl == null ? Duration.ZERO : ttl);
        }
    }
}
