package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Resolver.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/** What a {@link ResolverWorker} keeps of one service in use. Of the registry's thread only. */
final class Subscription {

    /** Between two reads of the same service, in nanoseconds, so that a burst of changes costs few. */
    static final long SPACING = Duration.ofMillis(10).toNanos();

    private static final long LONGEST_SPACING = Duration.ofSeconds(5).toNanos();

    final ServiceEntry entry;

    private final Retention retention;

    /** The watch that is set up, or null while there is none. */
    private @Nullable Watch watch;

    /** The read that is planned for when the last answer may have expired. */
    private @Nullable Future<?> expiry;

    int watchFailures;

    /** Whether the watch is to be tried again later. */
    boolean watchPlanned;

    final Failures failures = new Failures();

    /** Since when the registry has failed, on the nano clock, or null if it answered last. */
    private @Nullable Long failingSince;

    /** Whether a read is planned for when it is due. */
    boolean delayed;

    /** When the service was last read, on the nano clock. */
    long lastRead;

    /** How long after that it may be read again, in nanoseconds. */
    long spacing = SPACING;

    /**
     * @param ttl how long a live instance may need to register again
     */
    Subscription(ServiceEntry entry, Duration ttl) {
        this.entry = entry;
        this.retention = new Retention(ttl, System::nanoTime);
        this.lastRead = System.nanoTime() - SPACING;
    }

    /** The pause after a read is twice what it took, so that changes of a very long list leave the registry time for others. */
    void read(long began, long ended) {
        lastRead = ended;
        spacing = Math.max(SPACING, Math.min(LONGEST_SPACING, 2 * (ended - began)));
    }

    String service() {
        return entry.service();
    }

    boolean isWatched() {
        return watch != null;
    }

    void watched(Watch setUp) {
        watch = setUp;
        watchFailures = 0;
    }

    void endWatch() {
        Watch ending = watch;
        watch = null;
        if (ending != null) {
            ending.close();
        }
    }

    void expiresBy(@Nullable Future<?> planned) {
        if (expiry != null) {
            expiry.cancel(false);
        }
        expiry = planned;
    }

    /** The registry fails: what it answers next is not believed at once. */
    void fail() {
        if (failingSince == null) {
            failingSince = System.nanoTime();
        }
    }

    private Duration outage() {
        return failingSince == null ? Duration.ZERO : Duration.ofNanos(Math.max(1, System.nanoTime() - failingSince));
    }

    /** The view after an answer, with what is kept for a while although the answer lacks it. */
    RegistryView answered(RegistryView before, Listing listing, Instant now) {
        boolean first = before.state() == RegistryView.State.SNAPSHOT;
        if (first) {
            retention.assume(before.instances());
        }
        List<Instance> instances = retention.accept(listing, first ? Duration.ofNanos(Long.MAX_VALUE) : outage());
        failingSince = null;
        return before.answered(instances, retention.unconfirmed(), now);
    }

    /** After what time the answer may not be true any longer, or null if the registry tells. */
    @Nullable
    Duration nextRead(Listing listing) {
        Duration fresh = listing.freshFor();
        Duration kept = retention.nextEnd();
        if (fresh == null || kept == null) {
            return fresh == null ? kept : fresh;
        }
        return fresh.compareTo(kept) < 0 ? fresh : kept;
    }

    void end() {
        endWatch();
        expiresBy(null);
    }
}
