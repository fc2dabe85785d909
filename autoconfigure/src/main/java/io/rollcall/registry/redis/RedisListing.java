package io.rollcall.registry.redis;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.Listing.RejectedRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Makes a listing of what the script {@code lookup} answers. */
final class RedisListing {

    /** The incarnation of a service that only others have written. */
    private static final String FOREIGN = "foreign";

    /** Added to the end of the first lease, so that it has surely ended when it is looked up again. */
    private static final long MARGIN_MILLIS = 10;

    private final RedisRecords records;

    private final RedisKeys keys;

    private final String service;

    private final List<Instance> instances = new ArrayList<>();

    private final List<RejectedRecord> rejected = new ArrayList<>();

    private long freshMillis = Long.MAX_VALUE;

    private RedisListing(RedisRecords records, RedisKeys keys, String service) {
        this.records = records;
        this.keys = keys;
        this.service = service;
    }

    /** @param connection tells the connection that the answer came by from those before it, which may have led to other data */
    static Listing of(RedisRecords records, RedisKeys keys, String service, List<Object> answer, int connection) {
        return new RedisListing(records, keys, service).read(answer, connection);
    }

    private Listing read(List<Object> answer, int connection) {
        List<?> live = Answers.list(answer, 1);
        live.forEach(entry -> readLease((List<?>) entry));
        List<String> left = Answers.texts(answer, 2);
        List<String> members = Answers.texts(answer, 3);
        Set<String> known = instances.stream().map(Instance::address).collect(Collectors.toSet());
        members.stream().filter(member -> !known.contains(member)).forEach(this::readMember);
        String problem = Answers.text(answer, 4);
        if (!problem.isEmpty()) {
            rejected.add(new RejectedRecord(RedisKeys.swoole(service), problem));
        }
        String incarnation = Answers.text(answer, 0);
        boolean empty = live.isEmpty() && left.isEmpty() && members.isEmpty();
        String life = !incarnation.isEmpty() ? incarnation : empty ? null : FOREIGN;
        return new Listing(
                instances,
                Set.copyOf(left),
                rejected,
                life == null || connection == 0 ? life : life + "/" + connection,
                fresh());
    }

    private @Nullable Duration fresh() {
        return freshMillis == Long.MAX_VALUE ? null : Duration.ofMillis(freshMillis + MARGIN_MILLIS);
    }

    private void readLease(List<?> entry) {
        String id = Answers.text(entry, 0);
        try {
            instances.add(readRecord(id, entry.get(2)));
            freshMillis = Math.min(freshMillis, Answers.number(entry, 1));
        } catch (IllegalArgumentException ex) {
            rejected.add(new RejectedRecord(keys.leases(service) + " " + id, reason(ex)));
        }
    }

    private Instance readRecord(String id, Object record) {
        if (record instanceof byte[] data) {
            return records.read(service, id, data);
        }
        throw new IllegalArgumentException("its " + record + " bytes are more than " + Json.MAX_BYTES);
    }

    private void readMember(String member) {
        try {
            instances.add(SwooleMember.read(service, member));
        } catch (IllegalArgumentException ex) {
            rejected.add(new RejectedRecord(RedisKeys.swoole(service) + " " + member, reason(ex)));
        }
    }

    private static String reason(IllegalArgumentException ex) {
        String message = ex.getMessage();
        return message == null ? ex.toString() : message;
    }
}
