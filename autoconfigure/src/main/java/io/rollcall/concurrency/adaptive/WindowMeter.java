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
        return this.start;
    }

    void admitted(long now, int inFlight) {
        this.offsets.add(this.start - now);
        if (inFlight > this.peak) {
            // Two threads at once may keep the lower one; the next admission puts it right.
            this.peak = inFlight;
        }
    }

    void refused() {
        this.refused.increment();
    }

    boolean anyRefused() {
        return this.refused.sum() > 0;
    }

    void released(long now) {
        this.offsets.add(now - this.start);
    }

    void unanswered() {
        this.unanswered.increment();
    }

    /** @param released how many were released so far; every fourth is timed */
    void answered(int released, long latencyNanos) {
        if ((released & TIMED) == 0) {
            this.timed.increment();
            this.latencies.add(latencyNanos);
            this.squares.add((double) latencyNanos * latencyNanos);
        }
    }

    int releasedSinceStart(int released) {
        return released - this.releasedAtStart;
    }

    /** Ends the window and begins the next. */
    Window end(long now, int inFlight, int released) {
        long nanos = Math.max(1, now - this.start);
        double area = (double) inFlight * nanos + this.offsets.sumThenReset();
        int highest = Math.max(this.peak, inFlight);
        int done = Math.max(0, released - this.releasedAtStart);
        long answered = Math.max(0, done - this.unanswered.sumThenReset());
        Window window = new Window(
                nanos,
                Math.max(0, Math.min(highest, area / nanos)),
                highest,
                inFlight - this.inFlightAtStart,
                done,
                answered,
                this.refused.sumThenReset(),
                squaredVariation());
        this.start = now;
        this.peak = inFlight;
        this.inFlightAtStart = inFlight;
        this.releasedAtStart = released;
        return window;
    }

    private double squaredVariation() {
        double n = this.timed.sumThenReset();
        double sum = this.latencies.sumThenReset();
        double sumOfSquares = this.squares.sumThenReset();
        return n < FEWEST_TIMED || sum <= 0 ? Double.NaN : Math.max(0, n * sumOfSquares / (sum * sum) - 1);
    }
}
