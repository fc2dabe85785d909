package io.rollcall.discovery;

import io.rollcall.registry.Listing.RejectedRecord;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

/** Logs records that one registry holds and nobody can read: each once, as long as what is wrong with it stays the same. */
final class RejectedRecords {

    private static final Log logger = LogFactory.getLog(RejectedRecords.class);

    /** No more than these are remembered, nor logged. */
    private static final int REMEMBERED = 1000;

    private final String registry;

    private final Set<RejectedRecord> logged = new HashSet<>();

    RejectedRecords(String registry) {
        this.registry = registry;
    }

    /** Takes the bad records of one answer; called from the registry's thread only. */
    void add(List<RejectedRecord> rejected) {
        for (RejectedRecord bad : rejected) {
            if (logged.size() < REMEMBERED && logged.add(bad)) {
                logger.warn("Skipping " + bad.key() + " in " + registry + ": " + bad.reason());
            }
        }
    }
}
