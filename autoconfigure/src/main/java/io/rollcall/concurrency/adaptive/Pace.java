package io.rollcall.concurrency.adaptive;

/**
 * Chooses how long windows are: by time rather than by number, since a window that ends with the hundredth answer ends
 * early whenever answers come fast by chance, and so overstates the throughput.
 */
final class Pace {

    private static final double SHORTEST_SECONDS = 0.1;

    /** The first one, while nothing is known. */
    private static final double FIRST_SECONDS = 0.3;

    /** Not even for rare answers does a window wait longer than this, and not even for slow ones longer than the other. */
    private static final double LONG_ENOUGH_SECONDS = 2;

    private static final double LONGEST_SECONDS = 5;

    /** Requests in flight at both ends of a window blur it; two latencies long it is sharp enough. */
    private static final double LATENCIES = 2;

    /** A tenth of relative error. Keeping up needs no more; while learning, speed counts for more. */
    private static final double ANSWERS = 100;

    private static final double FIRST_ANSWERS = 40;

    /** A trial adds up windows until they suffice, so they are better short than sharp. */
    private static final double TRIAL_ANSWERS = 20;

    private double throughput;
    private double latency;

    void add(Window window) {
        if (window.answered() > 0) {
            throughput += (throughput == 0 ? 1 : 0.3) * (window.throughput() - throughput);
            if (window.balanced()) {
                latency = window.latency();
            }
        }
    }

    long trialNanos(double squaredVariation) {
        return nanos(0, TRIAL_ANSWERS * squaredVariation);
    }

    long windowNanos(boolean keepsUp, boolean kneeKnown, double squaredVariation) {
        double answers = keepsUp ? ANSWERS : (kneeKnown ? ANSWERS : FIRST_ANSWERS) * squaredVariation;
        return nanos(LATENCIES * latency, answers);
    }

    private long nanos(double shortest, double answers) {
        if (throughput == 0) {
            return (long) (1e9 * FIRST_SECONDS);
        }
        double wanted = Math.max(shortest, Math.min(LONG_ENOUGH_SECONDS, answers / throughput));
        return (long) (1e9 * Math.max(SHORTEST_SECONDS, Math.min(LONGEST_SECONDS, wanted)));
    }
}
