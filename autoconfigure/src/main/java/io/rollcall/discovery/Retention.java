package io.rollcall.discovery;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Listing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides how far an answer is believed that lacks instances which were there before. If the registry was unreachable meanwhile, or
 * has lost its data, those instances are probably alive and about to come back: they are kept for as long as they may need for it. If
 * neither is so, or they are known to have left, they are gone at once. Not thread-safe.
 */
final class Retention {

    private final long grace;

    private final LongSupplier nanoTime;

    /** Instances in use, by address, since ids may be unique on one host only, with the time at which those end that the registry does not confirm. */
    private Map<String, Kept> kept = new HashMap<>();

    private @Nullable String incarnation;

    /** Until when answers are doubted after a long outage; null if there was none. */
    private @Nullable Long doubtedUntil;

    private record Kept(Instance instance, @Nullable Long until) {}

    /**
     * @param grace how long a live instance may need to register again
     * @param nanoTime a clock that never jumps
     */
    Retention(Duration grace, LongSupplier nanoTime) {
        this.grace = grace.toNanos();
        this.nanoTime = nanoTime;
    }

    /** Takes what was listed in an earlier run, before the first answer. */
    void assume(List<Instance> instances) {
        instances.forEach(instance -> kept.put(instance.address(), new Kept(instance, null)));
    }

    /**
     * Takes an answer.
     *
     * @param listing the answer
     * @param outage how long the registry has failed since its last answer; zero if it has not
     * @return the instances to use from now on
     */
    List<Instance> accept(Listing listing, Duration outage) {
        long now = nanoTime.getAsLong();
        if (outage.toNanos() >= grace) {
            // Nobody could renew for so long. A registry that was paused lists everything at first, and then finds out.
            doubtedUntil = now + grace;
        } else if (doubtedUntil != null && doubtedUntil - now <= 0) {
            doubtedUntil = null;
        }
        boolean doubtful =
                !outage.isZero() || doubtedUntil != null || !Objects.equals(listing.incarnation(), incarnation);
        Map<String, Kept> next = new HashMap<>();
        Set<String> moved = new HashSet<>();
        List<Instance> instances = new ArrayList<>(listing.instances());
        for (Instance instance : instances) {
            next.put(instance.address(), new Kept(instance, null));
            if (!kept.containsKey(instance.address())) {
                moved.add(instance.id());
            }
        }
        kept.forEach((address, before) -> {
            String id = before.instance().id();
            if (next.containsKey(address)
                    || moved.contains(id)
                    || listing.left().contains(id)) {
                return;
            }
            Long until = before.until() == null && doubtful ? Long.valueOf(now + grace) : before.until();
            if (until != null && until - now > 0) {
                next.put(address, new Kept(before.instance(), until));
                instances.add(before.instance());
            }
        });
        kept = next;
        incarnation = listing.incarnation();
        return instances;
    }

    /** Addresses of the instances in use that the last answer did not list. */
    Set<String> unconfirmed() {
        return kept.values().stream()
                .filter(each -> each.until() != null)
                .map(each -> each.instance().address())
                .collect(Collectors.toUnmodifiableSet());
    }

    /** How long until the next unconfirmed instance ends, or null if all are confirmed. */
    @Nullable
    Duration nextEnd() {
        long now = nanoTime.getAsLong();
        return kept.values().stream()
                .map(Kept::until)
                .filter(Objects::nonNull)
                .map(until -> Duration.ofNanos(Math.max(0, until - now)))
                .min(Duration::compareTo)
                .orElse(null);
    }
}
