package io.rollcall.registry.redis;

import java.util.List;

/**
 * The names of keys and channels. What stands between the braces decides the slot in Redis Cluster: with the name of Swoole's set
 * there, a service's keys and that set share a slot, and one script can change them all.
 *
 * @param prefix what the names of our own keys begin with
 */
record RedisKeys(String prefix) {

    static final String DEFAULT_PREFIX = "rollcall";

    private static final String SWOOLE_PREFIX = "swoole:service:";

    /** The keys of a service in the order in which the scripts expect them: leases, instances, owners, Swoole's set. */
    List<String> of(String service) {
        return List.of(leases(service), base(service) + "instances", base(service) + "owners", swoole(service));
    }

    /** The sorted set of ids by the end of their lease. */
    String leases(String service) {
        return base(service) + "leases";
    }

    /** The channel that tells of a service's changes. */
    String channel(String service) {
        return base(service) + "changes";
    }

    /** The set of the names of all services. */
    String services() {
        return prefix + ":services";
    }

    /** Where Swoole's name service looks for a service. */
    static String swoole(String service) {
        return SWOOLE_PREFIX + service;
    }

    private String base(String service) {
        return prefix + ":{" + swoole(service) + "}:";
    }
}
