package io.rollcall.registry;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a registry answers when it is asked for a service.
 *
 * @param instances the live instances
 * @param left ids of instances that the registry knows to have left of their own will: they vanish from every list at once,
 *     even while an empty answer is not yet believed
 * @param rejected records that could not be understood
 * @param incarnation tells one life of the registry's data from the next, so that a wiped registry is not mistaken for one whose
 *     instances have all left: the list that an earlier incarnation gave stays in use for a while. Null if the registry holds nothing
 *     at all about the service
 * @param freshFor how long this answer can be trusted although nobody announces a change, since the registry lets entries
 *     expire silently; null if it announces expiry too
 */
public record Listing(
        List<Instance> instances,
        Set<String> left,
        List<RejectedRecord> rejected,
        @Nullable String incarnation,
        @Nullable Duration freshFor) {

    /** Copies what it is given. */
    public Listing {
        instances = List.copyOf(instances);
        left = Set.copyOf(left);
        rejected = List.copyOf(rejected);
    }

    /**
     * An answer of a registry that announces every change and never loses its data.
     *
     * @param instances the live instances
     */
    public static Listing of(List<Instance> instances) {
        return new Listing(instances, Set.of(), List.of(), "", null);
    }

    /**
     * A record that could not be understood.
     *
     * @param key where it is in the registry
     * @param reason what is wrong with it
     */
    public record RejectedRecord(String key, String reason) {}
}
