package io.rollcall.concurrency.adaptive;

/**
 * Estimates the squared coefficient of variation of the service times from that of the latency. Waiting in a queue hides
 * it, so windows with queueing may only raise the estimate.
 */
final class Variation {

    /** Constant service times still meet random arrivals, and the rarest long ones are better learnt than foreseen. */
    private static final double LOWEST = 1;

    private static final double HIGHEST = 8;
    private static final double QUEUEING = 1.2;

    /** The mean goes over so many last answers; the first guess counts like a few. */
    private static final double ANSWERS = 1500;

    private double squared = 1.5;
    private double seen = 50;

    void add(Window window, double knee) {
        double value = window.squaredVariation();
        boolean queueing = knee > 0 && window.meanInFlight() > QUEUEING * knee;
        if (!Double.isNaN(value) && (!queueing || value > squared)) {
            seen = Math.min(ANSWERS, seen + window.answered());
            double bounded = Math.max(LOWEST, Math.min(HIGHEST, value));
            squared += Math.min(1, window.answered() / seen) * (bounded - squared);
        }
    }

    double squared() {
        return squared;
    }
}
