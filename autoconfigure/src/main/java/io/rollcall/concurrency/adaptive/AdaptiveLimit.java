package io.rollcall.concurrency.adaptive;

import java.util.Locale;

/**
 * A concurrency limit that follows what the service can do.
 *
 * <p><b>The rule.</b> Time is cut into windows. Each tells the mean number in flight and the throughput, and with them the
 * mean latency by Little's law. The {@link ThroughputCurve} remembers what throughput came at what concurrency.
 * <ol>
 * <li><em>Keeping up:</em> while next to nothing is refused the service keeps up, whatever its latency. The limit is never
 * lowered because of latency then; it stays well above what is in use, so that a dependency that becomes slow costs no
 * refusals. Spare room goes slowly, and in idle time the limit returns to where it began. Only when answers take more than
 * a second and many times what they took at best is no more room given: should the limit be felt then, what follows finds
 * out whether requests wait for a dependency or for each other.
 * <li><em>Overloaded:</em> requests are refused. The limit becomes the smallest one that, by the {@link LossForecast}, costs
 * next to no throughput: what the service works on at once, plus a queue that is the shorter the more there is to do.
 * <li><em>Looking:</em> a limit below the knee of the curve looks right from inside, and so does a knee taken too high. So
 * under overload the limit is raised for a window when nothing was seen above the knee lately, and lowered for a window
 * when nothing was seen below. Throughput tells whether the knee has moved. Requests are being refused anyway, so neither
 * costs much; the times between are drawn at random, so that instances do not do it together.
 * <li><em>Nothing learnt yet:</em> the limit is doubled as long as throughput follows.
 * </ol>
 * Refusals, time-outs and errors are no answers: a limit that lets more of them in gains nothing, and without any answer
 * the limit shrinks to its floor, which still admits enough to see the service return.
 *
 * <p>What it cannot tell from overload: a dependency so slow that the service needs more than the ceiling. Deterministic for a given seed; not thread-safe.
 */
final class AdaptiveLimit {

    /** More than this share refused is overload; less is bad luck with bursts, and best met with more room. */
    private static final double OVERLOAD = 0.02;

    /** Windows without overload before the service keeps up again: one or two are chance. */
    private static final int QUIET_WINDOWS = 3;

    /** Room to keep above the load, in multiples of what it needs without queueing; a dependency may get five times slower. */
    private static final double ROOM = 10;

    /** Largest growth in one window while keeping up, so that a service which suffers from crowds is not flooded. */
    private static final double GROWTH = 1.25;

    private static final double FIRST_GROWTH = 2;

    /** Room above the recent peak shrinks by half in about 14 seconds, long enough to outlast a pause between bursts. */
    private static final double ROOM_SECONDS = 20;

    /** What was seen counts by a third after these seconds, later where answers are too rare to learn from in that time. */
    private static final double MEMORY_SECONDS = 10;

    private static final double MEMORY_ANSWERS = 1000;

    /** Above the knee is looked often, for a knee too low costs answers; below it seldom, since that costs some itself. */
    private static final double LOOK_ABOVE_EVERY = 0.7;

    private static final double LOOK_BELOW_EVERY = 1.5;
    private static final double ABOVE = 1.15;
    private static final double BELOW = 0.85;
    private static final double RAISED = 1.3;
    private static final double LOWERED = 0.75;

    /** While the knee was never seen from both sides, look further. */
    private static final double FIRST_RAISED = 1.6;

    private static final double FIRST_LOWERED = 0.5;

    /** Who waits longer than this is not made to wait even longer to learn something: look below first. */
    private static final double PATIENCE_SECONDS = 0.5;

    /** Answers that take longer than this, and so many times longer than at best, get no more room unless it is missed. */
    private static final double LONG_SECONDS = 1;

    private static final double MUCH_SLOWER = 6;

    /** Throughput follows concurrency if it grows by more than this share of its growth, both as logarithms. */
    private static final double FOLLOWS = 0.5;

    /** A knee that is a little too high costs 10 % latency, one that is too low 10 % of the answers. */
    private static final double MARGIN = 1.1;

    /** Half a refusal in a thousand is what the forecast accepts without overload, and 2 % of what is refused anyway. */
    private static final double LOSS = 0.0005;

    private static final double LOSS_SHARE = 0.02;

    /** Without an answer in a whole window the limit shrinks by this factor. */
    private static final double NO_ANSWERS = 0.8;

    private final AdaptiveLimitConfig config;
    private final ThroughputCurve curve = new ThroughputCurve();
    private final Pace pace = new Pace();
    private final Variation variation = new Variation();
    private final Jitter jitter;
    private double limit;
    private double offered;
    private double refusedShare;
    private double peak;
    private double memory = MEMORY_SECONDS;
    private int quietWindows = QUIET_WINDOWS;
    private boolean settled;
    private boolean bothSidesSeen;
    private boolean doubling;
    private double inFlightBefore;
    private double throughputBefore;

    AdaptiveLimit(AdaptiveLimitConfig config, long seed) {
        this.config = config;
        this.limit = config.initial();
        this.jitter = new Jitter(seed);
    }

    /** The limit now, within floor and ceiling. */
    int limit() {
        return (int) this.limit;
    }

    /** Whether next to nothing was refused lately. */
    boolean keepsUp() {
        return this.quietWindows >= QUIET_WINDOWS;
    }

    /** How long the next window is to be. */
    long windowNanos() {
        return this.pace.windowNanos(keepsUp(), this.bothSidesSeen && !this.doubling, this.variation.squared());
    }

    /** Takes in a window and sets the limit. */
    void onWindow(Window window) {
        learn(window);
        if (keepsUp()) {
            this.doubling = false;
            keepRoom(window);
        } else if (window.answered() == 0) {
            this.limit *= NO_ANSWERS;
        } else if (this.doubling) {
            lookWhetherThroughputFollowed(window);
        } else if (!this.bothSidesSeen && this.throughputBefore == 0) {
            begin(window);
        } else if (this.curve.knee() > 0 && (window.balanced() || window.inFlightChange() < 0)) {
            follow(window);
        }
        this.limit = Math.max(this.config.floor(), Math.min(this.config.ceiling(), this.limit));
    }

    private void learn(Window window) {
        this.variation.add(window, this.curve.knee());
        this.pace.add(window);
        double weight = this.offered == 0 ? 1 : Math.max(0.3, 1 - Math.exp(-window.seconds()));
        this.offered += weight * (window.offered() - this.offered);
        this.peak = Math.max(window.peakInFlight(), this.peak * Math.exp(-window.seconds() / ROOM_SECONDS));
        this.memory = Math.max(
                MEMORY_SECONDS, MEMORY_ANSWERS * this.variation.squared() / Math.max(0.1, this.curve.capacity()));
        this.curve.age(window.seconds(), this.memory);
        if (this.settled && window.answered() > 0 && window.balanced()) {
            this.curve.add(window, this.variation.squared());
        }
        // The quick requests end first: what comes out of a service that just began is more than it can keep up.
        this.settled = true;
        this.refusedShare += 0.3 * (window.refused() / Math.max(1, window.arrived()) - this.refusedShare);
        boolean overloaded = window.refused() > 0 && this.refusedShare > OVERLOAD;
        this.quietWindows = overloaded ? 0 : this.quietWindows + 1;
        if (keepsUp()) {
            this.throughputBefore = 0;
        }
    }

    private void keepRoom(Window window) {
        double needed = this.offered * this.curve.latency();
        double room = Math.max(2 * this.peak, ROOM * needed);
        if (needed > 0) {
            // A queue that grows is no reason to let it grow further.
            room = Math.min(room, Math.max(this.limit, ROOM * needed * stretch()));
        }
        if (window.latency() > Math.max(LONG_SECONDS, MUCH_SLOWER * this.curve.latency())) {
            // Whether that is a queue or a dependency shows only where the limit is felt.
            room = Math.min(room, this.limit);
        }
        if (room >= this.limit) {
            this.limit = Math.min(room, this.limit * GROWTH);
        } else {
            double shrunk = Math.max(room, this.limit * Math.exp(-window.seconds() / ROOM_SECONDS));
            this.limit = Math.max(Math.min(this.limit, this.config.initial()), shrunk);
        }
    }

    private void begin(Window window) {
        this.doubling = window.latency() <= PATIENCE_SECONDS;
        this.inFlightBefore = window.meanInFlight();
        this.throughputBefore = window.throughput();
        this.limit *= this.doubling ? FIRST_GROWTH : FIRST_LOWERED;
    }

    private void lookWhetherThroughputFollowed(Window window) {
        if (!window.balanced()) {
            return;
        }
        double growth = Math.log(window.meanInFlight() / this.inFlightBefore);
        double gain = Math.log(window.throughput() / this.throughputBefore);
        if (window.refused() == 0 || growth > 0.1 && gain > FOLLOWS * growth) {
            begin(window);
        } else {
            this.doubling = false;
            follow(window);
        }
    }

    private void follow(Window window) {
        double knee = this.curve.knee();
        boolean below = this.curve.seenBelow(BELOW * knee, this.jitter.of(LOOK_BELOW_EVERY * this.memory))
                || LOWERED * knee <= this.config.floor();
        boolean above = this.curve.seenAbove(ABOVE * knee, this.jitter.of(LOOK_ABOVE_EVERY * this.memory))
                || this.limit >= this.config.ceiling();
        double target = new LossForecast(this.offered, this.curve, MARGIN, stretch(), this.config.ceiling())
                .smallest(LOSS, LOSS_SHARE);
        if (!above && (below || window.latency() < PATIENCE_SECONDS)) {
            this.limit = this.bothSidesSeen
                    ? RAISED * Math.max(this.limit, Math.max(target, knee))
                    : FIRST_RAISED * this.limit;
        } else if (!below) {
            this.limit = knee * (this.bothSidesSeen ? LOWERED : FIRST_LOWERED);
        } else {
            this.bothSidesSeen = true;
            this.limit = target;
        }
    }

    private double stretch() {
        return (1 + this.variation.squared()) / 2;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s %d in %d..%d: knee %.1f, %.0f/s x %.2f ms, cv^2 %.1f, offered %.0f/s, refused %.1f %%",
                keepsUp() ? "keeping up" : "overloaded",
                limit(),
                this.config.floor(),
                this.config.ceiling(),
                this.curve.knee(),
                this.curve.capacity(),
                1e3 * this.curve.latency(),
                this.variation.squared(),
                this.offered,
                100 * this.refusedShare);
    }
}
