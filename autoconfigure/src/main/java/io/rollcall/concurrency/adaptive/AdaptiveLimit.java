package io.rollcall.concurrency.adaptive;

import java.util.Locale;

/**
 * A concurrency limit that follows what the service can do.
 *
 * <p><b>The rule.</b> Time is cut into windows. Each tells the mean number in flight and the throughput, and with them the
 * mean latency by Little's law. The {@link ThroughputCurve} remembers what throughput came at what concurrency.
 * <ol>
 * <li><em>Keeping up:</em> while next to nothing is refused the service keeps up, whatever its latency. The limit is never
 * lowered because of latency then; it stays well above what is in use ({@link Room}).
 * <li><em>On trial:</em> once requests are refused, or fewer answers come than came at best although plenty is in flight, it
 * has to be found out what they wait for. A raise tells ({@link Trial}). If throughput follows, they wait for something else,
 * such as a slow dependency: what was learnt is forgotten, and the limit raised again if that is not enough. If it stays, they
 * wait for each other. Where answers already take long and nothing suggests a slow dependency, the limit is lowered instead,
 * which tells as much.
 * <li><em>Overloaded:</em> the limit becomes the smallest one that costs next to no throughput ({@link KneeSearch}).
 * </ol>
 * Refusals, time-outs and errors are no answers: a limit that lets more of them in gains nothing, and without any answer
 * the limit shrinks to its floor, which still admits enough to see the service return.
 *
 * <p>What it cannot tell from overload: a dependency so slow that the service needs more than the ceiling. Deterministic for
 * a given seed; not thread-safe.
 */
final class AdaptiveLimit {

    /** More than this share refused is overload; less is bad luck with bursts, and best met with more room. */
    private static final double OVERLOAD = 0.02;

    /** Windows without overload before the service keeps up again: one or two are chance. */
    private static final int QUIET_WINDOWS = 3;

    /** A raise that is on trial: large enough to show in a few answers. */
    private static final double RAISED_ON_TRIAL = 2;

    private static final double LOWERED_ON_TRIAL = 0.5;

    /** So near to the ceiling a raise would show nothing. */
    private static final double NEAR_CEILING = 0.8;

    /** What was seen counts by a third after these seconds, later where answers are too rare to learn from in that time. */
    private static final double MEMORY_SECONDS = 10;

    private static final double MEMORY_ANSWERS = 1000;

    /** Answers that take longer are not made to take even longer without a reason to expect something of it. */
    private static final double PATIENCE_SECONDS = 0.5;

    /** Less than this share of the best throughput, with plenty in flight, is another service than before. */
    private static final double SLOWER = 0.7;

    /** And under overload, where throughput is compared all the time and so by chance looks changed at times, these. */
    private static final double HALF = 0.5;

    private static final double MUCH_SLOWER = 0.25;

    /** A load that exceeds the best throughput by less is one that the service has coped with before. */
    private static final double COPED_WITH = 1.1;

    /** Without an answer in a whole window the limit shrinks by this factor. */
    private static final double NO_ANSWERS = 0.8;

    private final AdaptiveLimitConfig config;
    private final ThroughputCurve curve = new ThroughputCurve();
    private final Pace pace = new Pace();
    private final Variation variation = new Variation();
    private final Trial trial = new Trial();
    private final KneeSearch search;
    private final Room room;
    private double limit;
    private double limitBefore;
    private double offered;
    private double refusedShare;
    private double memory = MEMORY_SECONDS;
    private int quietWindows = QUIET_WINDOWS;
    private boolean settled;
    private boolean slower;
    private boolean watching;
    private boolean tried;

    AdaptiveLimit(AdaptiveLimitConfig config, long seed) {
        this.config = config;
        this.limit = config.initial();
        this.search = new KneeSearch(config, this.curve, new Jitter(seed));
        this.room = new Room(config.initial());
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
        return this.trial.running()
                ? this.pace.trialNanos(this.variation.squared())
                : this.pace.windowNanos(keepsUp(), this.search.bothSidesSeen(), this.variation.squared());
    }

    /** Takes in a window and sets the limit. */
    void onWindow(Window window) {
        boolean watch = this.watching && window.answered() > 0;
        learn(window);
        if (this.trial.running()) {
            judge(window);
        } else if (watch) {
            watch(window);
        } else if (keepsUp()) {
            keepUp(window);
        } else if (window.answered() == 0) {
            this.limit *= NO_ANSWERS;
        } else if (!this.tried) {
            tryOut(window);
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
        this.room.add(window);
        this.memory = Math.max(
                MEMORY_SECONDS, MEMORY_ANSWERS * this.variation.squared() / Math.max(0.1, this.curve.capacity()));
        this.curve.age(window.seconds(), this.memory);
        if (this.settled) {
            compare(window);
        }
        // The quick requests end first: what comes out of a service that just began is more than it can keep up.
        this.settled = true;
        this.refusedShare += 0.3 * (window.refused() / Math.max(1, window.arrived()) - this.refusedShare);
        boolean overloaded = window.refused() > 0 && this.refusedShare > OVERLOAD;
        this.quietWindows = overloaded ? 0 : this.quietWindows + 1;
    }

    private void compare(Window window) {
        boolean changed = !this.trial.running() && this.curve.slowed(window, keepsUp() ? SLOWER : MUCH_SLOWER);
        if (window.answered() > 0 && window.balanced()) {
            double change = this.curve.add(window, this.variation.squared());
            changed |= !keepsUp() && change < HALF;
        }
        if (changed && !(this.tried && keepsUp())) {
            this.tried = false;
            this.slower = true;
            this.watching = keepsUp() && !this.trial.running();
        }
    }

    private void keepUp(Window window) {
        this.tried &= window.meanInFlight() > 2 * this.curve.knee();
        this.slower &= window.latency() > 2 * this.curve.latency();
        keepRoom(window);
    }

    private void keepRoom(Window window) {
        this.limit = this.room.next(this.limit, window, this.offered, this.curve.latency(), stretch());
    }

    /** What the load itself adds from now on is as good as a raise. */
    private void watch(Window window) {
        this.watching = false;
        this.trial.begin(window, false);
        this.limitBefore = this.limit;
        stillUnknown(window);
    }

    private void tryOut(Window window) {
        this.tried = true;
        boolean changed = this.slower || this.offered < COPED_WITH * this.curve.capacity();
        if (this.limit > NEAR_CEILING * this.config.ceiling()) {
            follow(window);
        } else if (changed || window.latency() <= PATIENCE_SECONDS) {
            raise(window);
        } else {
            this.limitBefore = this.limit;
            this.limit *= LOWERED_ON_TRIAL;
            if (this.curve.capacity() > 0) {
                this.trial.begin(window, true);
            }
        }
    }

    private void raise(Window window) {
        this.trial.begin(window, false);
        this.limitBefore = this.limit;
        this.limit *= RAISED_ON_TRIAL;
    }

    private void judge(Window window) {
        this.trial.add(window, this.variation.squared());
        if (this.trial.outdated() && keepsUp()) {
            this.trial.end();
            return;
        }
        switch (this.trial.verdict()) {
            case FLAT -> queueing(window);
            case FOLLOWED -> waiting(window);
            case OPEN -> stillUnknown(window);
        }
    }

    private void queueing(Window window) {
        this.trial.end();
        this.tried = true;
        this.slower = false;
        this.limit = Math.min(this.limit, this.limitBefore);
        double ratio = this.trial.throughput() / this.curve.capacity();
        if (ratio < MUCH_SLOWER) {
            this.curve.slowDown(ratio, this.trial.inFlight());
        }
        if (!keepsUp()) {
            follow(window);
        }
    }

    /** What was learnt is of a service that is no more. */
    private void waiting(Window window) {
        this.trial.end();
        this.curve.forget();
        this.slower = true;
        this.tried = window.refused() > 0 && window.answered() > 0;
        if (this.tried) {
            this.limit = Math.max(this.limit, this.limitBefore);
            raise(window);
        }
    }

    private void stillUnknown(Window window) {
        boolean unchanged = this.limit == this.limitBefore;
        if (unchanged && window.refused() > 0) {
            this.limit *= RAISED_ON_TRIAL;
        } else if (keepsUp() && this.limit >= this.limitBefore) {
            double was = this.limit;
            keepRoom(window);
            this.limitBefore = unchanged ? this.limit : this.limitBefore * this.limit / was;
        }
        if (window.peakInFlight() < this.trial.inFlight() && this.limit >= this.limitBefore) {
            // Less is in flight than before the raise: there is nothing left that could be an overload.
            this.trial.end();
            this.quietWindows = QUIET_WINDOWS;
        }
    }

    private void follow(Window window) {
        this.limit = this.search.next(this.limit, window, this.offered, this.memory, stretch());
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
