package io.rollcall.discovery;

import io.rollcall.registry.Listing.RejectedRecord;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/**
 * Counts and logs records that one registry holds and nobody can read: each once, and again when something else is wrong with it or it
 * was in order meanwhile. Used by the registry's thread only, but for the count.
 */
final class RejectedRecords {

    private static final Log logger = LogFactory.getLog(RejectedRecords.class);

    /** No more than these are remembered and logged one by one. */
    private static final int REMEMBERED = 1000;

    /** Registries hold untrusted data: a line of the log is no longer than about twice that. */
    private static final int SHOWN = 200;

    private final String registry;

    private final Map<String, Known> byService = new HashMap<>();

    private final AtomicLong count = new AtomicLong();

    /** The bad records of one service: those that are remembered, and how many more there are. */
    private record Known(Set<RejectedRecord> records, int others) {

        static final Known NONE = new Known(Set.of(), 0);
    }

    RejectedRecords(String registry) {
        this.registry = registry;
    }

    /** Takes all bad records that the registry has of one service now. */
    void take(String service, List<RejectedRecord> rejected) {
        Known before = byService.getOrDefault(service, Known.NONE);
        if (rejected.isEmpty()) {
            byService.remove(service);
            return;
        }
        int room = REMEMBERED
                - byService.values().stream()
                        .mapToInt(known -> known.records().size())
                        .sum()
                + before.records().size();
        List<RejectedRecord> shown =
                rejected.stream().map(RejectedRecords::printable).distinct().toList();
        // Those that were told of come first, whatever the order of the list: more of others is no reason to forget
        // them.
        Set<RejectedRecord> records =
                shown.stream().filter(before.records()::contains).collect(Collectors.toCollection(HashSet::new));
        int others = 0;
        for (RejectedRecord bad : shown) {
            if (records.contains(bad)) {
                continue;
            }
            if (records.size() >= room) {
                others++;
            } else {
                records.add(bad);
                count.incrementAndGet();
                logger.warn("Skipping " + bad.key() + " in " + registry + ": " + bad.reason());
            }
        }
        if (others > before.others()) {
            count.addAndGet(others - before.others());
            logger.warn("Skipping " + others + " more records of " + service + " in " + registry);
        }
        byService.put(service, new Known(records, others));
    }

    /** The service is not read any more. */
    void forget(String service) {
        byService.remove(service);
    }

    /** How many there have been; may be called by any thread. */
    long count() {
        return count.get();
    }

    private static RejectedRecord printable(RejectedRecord bad) {
        return new RejectedRecord(printable(bad.key()), printable(bad.reason()));
    }

    /** Short, in one line, and in the order in which it is written. */
    private static String printable(String text) {
        String shown = text.length() <= SHOWN ? text : text.substring(0, SHOWN) + "...";
        return shown.replaceAll("[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]", "?");
    }
}
