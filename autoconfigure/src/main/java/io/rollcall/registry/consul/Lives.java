package io.rollcall.registry.consul;

import java.util.HashMap;
import java.util.Map;

/**
 * Tells one life of the registry's data from the next. Consul gives its data no identity, so this counts what does not happen in one
 * life: a service's index that goes backwards, a node that is not the one it was, and for one service, since nothing is known about
 * what happened to it meanwhile, a query that broke. Thread-safe.
 */
final class Lives {

    private final Map<String, Long> indexes = new HashMap<>();

    private final Map<String, String> nodes = new HashMap<>();

    private final Map<String, Integer> doubts = new HashMap<>();

    private long life;

    /** The present one, as far as a service is concerned. */
    synchronized String current(String service) {
        return life + "/" + doubts.getOrDefault(service, 0);
    }

    /** To a service, it may be another one by now. */
    synchronized void doubt(String service) {
        doubts.merge(service, 1, Integer::sum);
    }

    /**
     * Takes note of an answer.
     *
     * @param service what it is about
     * @param index the answer's
     * @param identities of the nodes in it, by their names
     */
    synchronized void answered(String service, long index, Map<String, String> identities) {
        Long before = identities.isEmpty() ? indexes.remove(service) : indexes.put(service, index);
        boolean other = before != null && index < before;
        for (Map.Entry<String, String> node : identities.entrySet()) {
            String known = nodes.put(node.getKey(), node.getValue());
            other |= known != null && !known.equals(node.getValue());
        }
        if (other) {
            life++;
        }
    }
}
