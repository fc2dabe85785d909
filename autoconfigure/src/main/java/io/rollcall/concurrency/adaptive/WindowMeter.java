package io.rollcall.concurrency.adaptive;

import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAdder;

/**
 * Measures a {@link Window} from counters that many threads add to without waiting for each other.
 *
 * <p>The time integral of the number in flight needs no look at every change: it is the number in flight at the end times
 * the length, plus the sum of all times of release, less the sum of all times of admission, both counted from the start of
 * the window. A thread that is late by a moment falsifies it by at most one request in one window.
 *
 * <p>{@link #end} is for one thread at a time, everything else for any.
 */
final class WindowMeter {

    /** Every fourth answer suffices for the variation, and keeps the path of the others short. */
    private static final int TIMED = 3;

    private static final int FEWEST_TIMED = 5;

    private final LongAdder offsets = new LongAdder();
    private final LongAdder refused = new LongAdder();
    private final LongAdder unanswered = new LongAdder();
    private final LongAdder timed = new LongAdder();
    private final DoubleAdder latencies = new DoubleAdder();
    private final DoubleAdder squares = new DoubleAdder();
    private volatile long start;
    private volatile int peak;
    private int inFlightAtStart;
    private int releasedAtStart;

    /** When the window began, on the clock of all other times. */
    long start() {
        return start;
    }

    void admitted(long now, int inFlight) {
        offsets.add(start - now);
        if (inFlight > peak) {
            // Two threads at once may keep the lower one; the next admission puts it right.
            peak = inFlight;
        }
    }

    void refused() {
        refused.increment();
    }

    boolean anyRefused() {
        return refused.sum() > 0;
    }

    void released(long now) {
        offsets.add(now - start);
    }

    void unanswered() {
        unanswered.increment();
    }

    /** @param released how many were released so far; every fourth is timed */
    void answered(int released, long latencyNanos) {
        if ((released & TIMED) == 0) {
            timed.increment();
            latencies.add(latencyNanos);
            squares.add((double) latencyNanos * latencyNanos);
        }
    }

    int releasedSinceStart(int released) {
        return released - releasedAtStart;
    }

    /** Ends the window and begins the next. */
    Window end(long now, int inFlight, int released) {
        long nanos = Math.max(1, now - start);
        double area = (double) inFlight * nanos + offsets.sumThenReset();
        int highest = Math.max(peak, inFlight);
        int done = Math.max(0, released - releasedAtStart);
        long answered = Math.max(0, done - unanswered.sumThenReset());
        Window window = new Window(
                nanos,
                Math.max(0, Math.min(highest, area / nanos)),
                highest,
                inFlight - inFlightAtStart,
                done,
                answered,
                refused.sumThenReset(),
                squaredVariation());
        start = now;
        peak = inFlight;
        inFlightAtStart = inFlight;
        releasedAtStart = released;
        return window;
    }

    private double squaredVariation() {
        double n = timed.sumThenReset();
        double sum = latencies.sumThenReset();
        double sumOfSquares = squares.sumThenReset();
        return n < FEWEST_TIMED || sum <= 0 ? Double.NaN : Math.max(0, n * sumOfSquares / (sum * sum) - 1);
    }
}
