package io.rollcall.registry.redis;

import io.rollcall.registry.Json;
import io.rollcall.registry.Listing;
import io.rollcall.registry.RefusedException;
import io.rollcall.registry.Resolver;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisServerCommands;
import org.springframework.data.redis.core.StringRedisTemplate;

/** Reads a service in one round trip, and hears of changes by its channel. */
final class RedisResolver implements Resolver {

    private final RedisLink link;

    private final RedisScripts scripts;

    private final RedisKeys keys;

    private final Subscriptions subscriptions;

    private final boolean sweeps;

    private final RedisRecords records = new RedisRecords();

    /** @param sweeps whether to remove expired instances that are come upon: as one who may write there */
    RedisResolver(RedisLink link, RedisScripts scripts, RedisKeys keys, Subscriptions subscriptions, boolean sweeps) {
        this.link = link;
        this.scripts = scripts;
        this.keys = keys;
        this.subscriptions = subscriptions;
        this.sweeps = sweeps;
    }

    @Override
    public Listing lookup(String service) throws RefusedException {
        List<Object> answer = link.run(scripts.lookup(), keys.of(service), Json.MAX_BYTES, sweeps ? 1 : 0);
        return RedisListing.of(records, keys, service, answer, link.replaced());
    }

    @Override
    public Set<String> services() throws RefusedException {
        boolean cluster = link.call(template -> Boolean.TRUE.equals(
                template.execute(connection -> connection instanceof RedisClusterConnection, true)));
        if (cluster) {
            return link.call(this::servicesOfCluster);
        }
        // The name stands where the braces of a leases key hold it.
        String[] around = keys.leases("\n").split("\n");
        List<Object> names = link.run(scripts.services(), List.of(keys.services()), around[0], around[1]);
        return new HashSet<>(Answers.texts(List.of(names), 0));
    }

    /** In a cluster the leases are in many slots: each service is asked on its own. */
    private Set<String> servicesOfCluster(StringRedisTemplate template) {
        Long now = template.execute(RedisServerCommands::time, true);
        Set<String> names = new HashSet<>();
        for (String name : Set.copyOf(template.opsForSet().members(keys.services()))) {
            Long live = template.opsForZSet().count(keys.leases(name), now + 1, Double.POSITIVE_INFINITY);
            if (live != null && live > 0) {
                names.add(name);
            }
        }
        return names;
    }

    @Override
    public Watch watch(String service, WatchListener listener) throws Exception {
        return subscriptions.watch(keys.channel(service), listener);
    }
}
