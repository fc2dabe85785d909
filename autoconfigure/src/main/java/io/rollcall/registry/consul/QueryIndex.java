package io.rollcall.registry.consul;

/** The rules for the index of blocking queries, from Consul's documentation of them. */
final class QueryIndex {

    private QueryIndex() {}

    /** The header's value, or 0 if it has none that can be. */
    static long parse(String header) {
        try {
            return Math.max(0, Long.parseLong(header.strip()));
        } catch (NumberFormatException ex) {
            return 0;
        }
    }

    /**
     * The index to wait for a change of.
     *
     * @param before the one of the last query, or 0 for none
     * @param answered the one of its answer
     * @return 0, which does not wait, if the index went backwards as after a restore; never 0 otherwise, which would answer at once
     *     for ever
     */
    static long next(long before, long answered) {
        return answered < before ? 0 : Math.max(1, answered);
    }
}
