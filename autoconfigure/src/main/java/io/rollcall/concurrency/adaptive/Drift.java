package io.rollcall.concurrency.adaptive;

/**
 * Tells a lasting change of a rate from chance by Page's cumulative sum test (E. S. Page, "Continuous inspection schemes",
 * 1954): the log-likelihood ratio of "changed by this much" against "as before" is summed up, never below 0, until it
 * suffices as proof. Not thread-safe.
 */
final class Drift {

    /** Chance alone gets there in about one of exp(6) = 400 windows; a halved rate gets there in one or two. */
    private static final double PROOF = 6;

    /** One window, however strange, does not count for more than a change by this factor (as a logarithm). */
    private static final double LARGEST_LOG_RATIO = 1;

    private final double shift;
    private double evidence;
    private double since;
    private double seen;
    private double expected;

    /** @param shift the change to look for, as a logarithm: 0.25 for a quarter more, -0.25 for a quarter less */
    Drift(double shift) {
        this.shift = shift;
    }

    /**
     * @param answers   answers that came
     * @param expected  answers that should have come as before
     * @param variation variance of such a count divided by its mean
     * @param lastSeen  until when "as before" is known to have held
     */
    void add(double answers, double expected, double variation, double lastSeen) {
        if (evidence == 0) {
            since = lastSeen;
        }
        double ratio = Math.log(Math.max(1, answers) / expected);
        double bounded = Math.max(-LARGEST_LOG_RATIO, Math.min(LARGEST_LOG_RATIO, ratio));
        evidence += Math.max(answers, expected) / variation * (shift * bounded - shift * shift / 2);
        if (evidence <= 0) {
            reset();
        } else {
            seen += answers;
            this.expected += expected;
        }
    }

    boolean proven() {
        return evidence > PROOF;
    }

    /** The rate since the change beside that before it. */
    double ratio() {
        return Math.max(1, seen) / expected;
    }

    /** The last moment that is known to lie before the change. */
    double since() {
        return since;
    }

    void reset() {
        evidence = 0;
        seen = 0;
        expected = 0;
    }
}
