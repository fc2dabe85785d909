package io.rollcall.concurrency.adaptive;

/**
 * The limit under overload: the smallest that, by the {@link LossForecast}, costs next to no throughput, with looks above and
 * below it, since a limit below the knee of the curve looks right from inside, and so does a knee taken too high. Requests are
 * being refused anyway, so looks cost little; they come at random times, so that instances do not look together. Not
 * thread-safe.
 */
final class KneeSearch {

    /** Above the knee is looked often, for a knee too low costs answers; below it seldom, since that costs some itself. */
    private static final double LOOK_ABOVE_EVERY = 0.7;

    private static final double LOOK_BELOW_EVERY = 1.5;
    private static final double ABOVE = 1.15;
    private static final double BELOW = 0.96;
    private static final double RAISED = 1.3;
    private static final double LOWERED = 0.8;

    /** While the knee was never seen from both sides, look further. */
    private static final double FIRST_RAISED = 1.6;

    private static final double FIRST_LOWERED = 0.5;
    private static final double FURTHEST_LOWERED = 0.25;

    /** Who waits longer than this is not made to wait even longer to learn something: look below first. */
    private static final double PATIENCE_SECONDS = 0.5;

    /** A knee that is a little too high costs 10 % latency, one that is too low 10 % of the answers. */
    private static final double MARGIN = 1.1;

    /** Half a refusal in a thousand is what the forecast accepts without overload, and 2 % of what is refused anyway. */
    private static final double LOSS = 0.0005;

    private static final double LOSS_SHARE = 0.02;

    private final AdaptiveLimitConfig config;
    private final ThroughputCurve curve;
    private final Jitter jitter;
    private boolean bothSidesSeen;

    KneeSearch(AdaptiveLimitConfig config, ThroughputCurve curve, Jitter jitter) {
        this.config = config;
        this.curve = curve;
        this.jitter = jitter;
    }

    /** Whether looks have reached either side of the knee, so that nearer ones will do. */
    boolean bothSidesSeen() {
        return bothSidesSeen;
    }

    /**
     * @param limit   as it is
     * @param offered requests per second that come
     * @param memory  seconds after which the curve has forgotten most
     * @param stretch how much longer than exponential ones queues get
     */
    double next(double limit, Window window, double offered, double memory, double stretch) {
        double knee = curve.knee();
        boolean below =
                curve.seenBelow(BELOW * knee, jitter.of(LOOK_BELOW_EVERY * memory)) || LOWERED * knee <= config.floor();
        boolean above =
                curve.seenAbove(ABOVE * knee, jitter.of(LOOK_ABOVE_EVERY * memory)) || limit >= config.ceiling();
        if (!above && (below || window.latency() < PATIENCE_SECONDS)) {
            return bothSidesSeen
                    ? RAISED * Math.max(limit, Math.max(smallest(offered, stretch), knee))
                    : FIRST_RAISED * limit;
        }
        if (!below) {
            return bothSidesSeen ? LOWERED * knee : Math.max(FIRST_LOWERED * knee, FURTHEST_LOWERED * limit);
        }
        bothSidesSeen = true;
        return smallest(offered, stretch);
    }

    private int smallest(double offered, double stretch) {
        return new LossForecast(offered, curve, MARGIN, stretch, config.ceiling()).smallest(LOSS, LOSS_SHARE);
    }
}
