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
 * wait for each other. Where answers already take long and nothing suggests a slow dependency, or where a crowd has done harm
 * before, the limit is lowered instead, which tells as much.
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

    /** More than this many times the knee are a crowd. */
    private static final double CROWD = 2;

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
        limit = config.initial();
        search = new KneeSearch(config, curve, new Jitter(seed));
        room = new Room(config.initial());
    }

    /** The limit now, within floor and ceiling. */
    int limit() {
        return (int) limit;
    }

    /** Whether next to nothing was refused lately. */
    boolean keepsUp() {
        return quietWindows >= QUIET_WINDOWS;
    }

    /** How long the next window is to be. */
    long windowNanos() {
        return trial.running()
                ? pace.trialNanos(variation.squared())
                : pace.windowNanos(keepsUp(), search.bothSidesSeen(), variation.squared());
    }

    /** Takes in a window and sets the limit. */
    void onWindow(Window window) {
        boolean watch = watching && window.answered() > 0;
        learn(window);
        if (trial.running()) {
            judge(window);
        } else if (watch) {
            watch(window);
        } else if (keepsUp()) {
            keepUp(window);
        } else if (window.answered() == 0) {
            limit *= NO_ANSWERS;
        } else if (!tried) {
            tryOut(window);
        } else if (curve.knee() > 0 && (window.balanced() || window.inFlightChange() < 0)) {
            follow(window);
        }
        limit = Math.max(config.floor(), Math.min(config.ceiling(), limit));
    }

    private void learn(Window window) {
        variation.add(window, curve.knee());
        pace.add(window);
        double weight = offered == 0 ? 1 : Math.max(0.3, 1 - Math.exp(-window.seconds()));
        offered += weight * (window.offered() - offered);
        room.add(window);
        memory = Math.max(MEMORY_SECONDS, MEMORY_ANSWERS * variation.squared() / Math.max(0.1, curve.capacity()));
        curve.age(window.seconds(), memory);
        if (settled) {
            compare(window);
        }
        // The quick requests end first: what comes out of a service that just began is more than it can keep up.
        settled = true;
        refusedShare += 0.3 * (window.refused() / Math.max(1, window.arrived()) - refusedShare);
        boolean overloaded = window.refused() > 0 && refusedShare > OVERLOAD;
        quietWindows = overloaded ? 0 : quietWindows + 1;
    }

    private void compare(Window window) {
        boolean changed = !trial.running() && curve.slowed(window, keepsUp() ? SLOWER : MUCH_SLOWER);
        if (window.answered() > 0 && window.balanced()) {
            double change = curve.add(window, variation.squared());
            changed |= !keepsUp() && change < HALF;
        }
        if (changed && !(tried && keepsUp())) {
            tried = false;
            slower = true;
            watching = keepsUp() && !trial.running();
        }
    }

    private void keepUp(Window window) {
        tried &= window.meanInFlight() > 2 * curve.knee();
        slower &= window.latency() > 2 * curve.latency();
        keepRoom(window);
    }

    private void keepRoom(Window window) {
        limit = room.next(limit, window, offered, curve.latency(), stretch());
    }

    /** What the load itself adds from now on is as good as a raise. */
    private void watch(Window window) {
        watching = false;
        trial.begin(window, false);
        limitBefore = limit;
        stillUnknown(window);
    }

    private void tryOut(Window window) {
        tried = true;
        boolean changed = slower || offered < COPED_WITH * curve.capacity();
        if (limit > NEAR_CEILING * config.ceiling()) {
            follow(window);
        } else if (!room.admitsCrowd(limit) && (changed || window.latency() <= PATIENCE_SECONDS)) {
            raise(window);
        } else {
            limitBefore = limit;
            limit *= LOWERED_ON_TRIAL;
            if (curve.capacity() > 0) {
                trial.begin(window, true);
            }
        }
    }

    private void raise(Window window) {
        trial.begin(window, false);
        limitBefore = limit;
        limit *= RAISED_ON_TRIAL;
    }

    private void judge(Window window) {
        trial.add(window, variation.squared());
        if (trial.outdated() && keepsUp()) {
            trial.end();
            return;
        }
        switch (trial.verdict()) {
            case FLAT -> queueing(window);
            case FOLLOWED -> waiting(window);
            case OPEN -> stillUnknown(window);
        }
    }

    private void queueing(Window window) {
        trial.end();
        tried = true;
        slower = false;
        limit = Math.min(limit, limitBefore);
        if (trial.inFlight() > CROWD * curve.knee() && trial.madeWorse(curve.capacity(), variation.squared())) {
            room.crowded(trial.inFlight());
        }
        double ratio = trial.throughput() / curve.capacity();
        if (ratio < MUCH_SLOWER) {
            curve.slowDown(ratio, trial.inFlight());
        }
        if (!keepsUp()) {
            follow(window);
        }
    }

    /** What was learnt is of a service that is no more. */
    private void waiting(Window window) {
        trial.end();
        curve.forget();
        room.forget();
        slower = true;
        tried = window.refused() > 0 && window.answered() > 0;
        if (tried) {
            limit = Math.max(limit, limitBefore);
            raise(window);
        }
    }

    private void stillUnknown(Window window) {
        boolean unchanged = limit == limitBefore;
        if (unchanged && window.refused() > 0) {
            limit *= RAISED_ON_TRIAL;
        } else if (keepsUp() && limit >= limitBefore) {
            double was = limit;
            keepRoom(window);
            limitBefore = unchanged ? limit : limitBefore * limit / was;
        }
        if (window.peakInFlight() < trial.inFlight() && limit >= limitBefore) {
            // Less is in flight than before the raise: there is nothing left that could be an overload.
            trial.end();
            quietWindows = QUIET_WINDOWS;
        }
    }

    private void follow(Window window) {
        // Of a limit that is further away nothing is known, whatever was seen at others.
        double highest = RAISED_ON_TRIAL * Math.max(limit, window.peakInFlight());
        limit = Math.min(highest, search.next(limit, window, offered, memory, stretch()));
    }

    private double stretch() {
        return (1 + variation.squared()) / 2;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%s %d in %d..%d: knee %.1f, %.0f/s x %.2f ms, cv^2 %.1f, offered %.0f/s, refused %.1f %%",
                keepsUp() ? "keeping up" : "overloaded",
                limit(),
                config.floor(),
                config.ceiling(),
                curve.knee(),
                curve.capacity(),
                1e3 * curve.latency(),
                variation.squared(),
                offered,
                100 * refusedShare);
    }
}
