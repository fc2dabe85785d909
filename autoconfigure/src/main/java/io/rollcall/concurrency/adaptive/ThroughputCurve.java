package io.rollcall.concurrency.adaptive;

import java.util.Arrays;

/**
 * Remembers how many answers per second came while how many requests were in flight, the recent past counting more.
 *
 * <p>The curve rises in proportion as long as nothing queues, and bends at the <em>knee</em>, the number that the service
 * works on at once: throughput at its best times latency at its best. Levels are kept in steps of a fifth. Not thread-safe.
 */
final class ThroughputCurve {

    private static final int STEPS_PER_DOUBLING = 4;
    private static final double LN_STEP = Math.log(2) / STEPS_PER_DOUBLING;
    private static final int LEVELS = 16 * STEPS_PER_DOUBLING;

    /** So many answers, times their squared variation, say something about a level: to a sixth. */
    private static final double ENOUGH = 30;

    /** Up to this multiple of the knee latency is that without queueing, from the other on throughput is at its best. */
    private static final double LINEAR_UP_TO = 1.05;

    private static final double FLAT_FROM = 1.2;
    private static final double FLAT_UP_TO = 2.5;

    /** What a level that has changed is still worth, and what the others are. */
    private static final double DOUBT = 0.3;

    /** From this multiple of the knee on throughput should be at its best, even where nothing was seen before. */
    private static final double QUEUEING_FROM = 2;

    private final double[] answers = new double[LEVELS];
    private final double[] seconds = new double[LEVELS];
    private final double[] area = new double[LEVELS];
    private final double[] touched = new double[LEVELS];
    private final Drift slower = new Drift(-0.25);
    private final Drift faster = new Drift(0.25);
    private final Drift slowed = new Drift(-0.25);
    private double variation = 1;
    private double now;
    private double capacity;
    private double latency;

    /** Best throughput in answers per second, 0 while unknown. */
    double capacity() {
        return capacity;
    }

    /** Mean latency without queueing in seconds, 0 while unknown. */
    double latency() {
        return latency;
    }

    /** The concurrency beyond which requests queue, 0 while unknown. */
    double knee() {
        return capacity * latency;
    }

    /** Lets time pass: what is known weighs less, but says the same. */
    void age(double elapsedSeconds, double memorySeconds) {
        now += elapsedSeconds;
        for (int i = 0; i < LEVELS; i++) {
            weigh(i, Math.exp(-elapsedSeconds / memorySeconds));
        }
    }

    /**
     * Adds a balanced window with answers, after checking whether it shows that the server is no longer the one that is
     * remembered.
     *
     * @param squaredVariation squared coefficient of variation of the service times
     * @return throughput since a change beside that before it, 1 if there was none
     */
    double add(Window window, double squaredVariation) {
        variation = squaredVariation;
        int level = level(window.meanInFlight());
        double expected = expected(level, window);
        double change = 1;
        if (expected > 0) {
            change = check(slower, window, expected, level) * check(faster, window, expected, level);
        }
        answers[level] += window.answered();
        seconds[level] += window.seconds();
        area[level] += window.seconds() * window.meanInFlight();
        touched[level] = now;
        fit();
        return change;
    }

    /**
     * Whether a window, balanced or not, proves that fewer answers come than came at best, although more than enough is in
     * flight: requests now wait for each other or for something else.
     *
     * @param share of the best throughput that would be too little
     */
    boolean slowed(Window window, double share) {
        if (window.meanInFlight() > QUEUEING_FROM * knee() && capacity > 0) {
            slowed.add(window.answered(), capacity * window.seconds(), variation, now);
        }
        boolean proven = slowed.proven() && slowed.ratio() < share;
        if (proven) {
            slowed.reset();
        }
        return proven;
    }

    /** Takes it that all levels bring so many times less than is remembered. */
    void slowDown(double ratio, double seenAt) {
        rescale(ratio, seenAt, now, 0);
        fit();
        slower.reset();
        slowed.reset();
    }

    void forget() {
        Arrays.fill(answers, 0);
        Arrays.fill(seconds, 0);
        Arrays.fill(area, 0);
        slower.reset();
        faster.reset();
        capacity = 0;
        latency = 0;
    }

    /** Whether enough was seen above that concurrency during so many last seconds. */
    boolean seenAbove(double concurrency, double lastSeconds) {
        return seen(level(concurrency) + 1, LEVELS, lastSeconds);
    }

    /** Whether enough was seen below that concurrency during so many last seconds. */
    boolean seenBelow(double concurrency, double lastSeconds) {
        return seen(0, level(concurrency), lastSeconds);
    }

    /**
     * What share of the capacity is left at each concurrency where it is known that too much of it costs throughput
     * (locks, caches, garbage): 1 up to the knee, then not rising, and flat beyond what was tried.
     */
    double[] efficiency(int upTo) {
        double[] share = new double[upTo + 1];
        Arrays.fill(share, 1);
        double from = knee();
        double last = 1;
        for (int i = level(from); i < LEVELS; i++) {
            double at = answers[i] < ENOUGH * variation ? 0 : area[i] / seconds[i];
            if (at > from) {
                double highest = answers[i] / seconds[i] * (1 + 2 * noise(answers[i]));
                double value = Math.min(last, highest / capacity);
                for (int n = (int) Math.ceil(from); n <= upTo; n++) {
                    double between = last + (value - last) * Math.min(1, (n - from) / (at - from));
                    share[n] = Math.min(share[n], between);
                }
                from = at;
                last = value;
            }
        }
        return share;
    }

    /** The answers that memory promises for such a window, 0 if it knows nothing of that level. */
    private double expected(int level, Window window) {
        double n = around(answers, level);
        if (n < ENOUGH * variation) {
            return 0;
        }
        boolean queueing = window.meanInFlight() > knee();
        return queueing
                ? n / around(seconds, level) * window.seconds()
                : n / around(area, level) * window.seconds() * window.meanInFlight();
    }

    private double check(Drift drift, Window window, double expected, int level) {
        drift.add(window.answered(), expected, variation, touched[level]);
        if (!drift.proven()) {
            return 1;
        }
        double ratio = drift.ratio();
        rescale(ratio, window.meanInFlight(), drift.since(), level);
        slower.reset();
        faster.reset();
        return ratio;
    }

    /**
     * The server became faster or slower, as far as one level can tell. Whatever is not known from after the change is
     * changed alike, except where that would lower the knee: too high a limit costs a little latency, too low a one
     * answers. And it is to be looked at again soon.
     */
    private void rescale(double ratio, double seenAt, double since, int level) {
        double knee = knee();
        for (int i = 0; i < LEVELS; i++) {
            if (answers[i] > 0 && (touched[i] <= since || i == level)) {
                boolean below = area[i] / seconds[i] < 0.9 * knee;
                boolean moreWorkers = ratio > 1 && below && seenAt > 0.9 * knee;
                if (!moreWorkers) {
                    seconds[i] /= ratio;
                    area[i] /= ratio;
                }
                weigh(i, DOUBT);
                if (ratio > 1 || below) {
                    touched[i] = Double.NEGATIVE_INFINITY;
                }
            }
        }
    }

    /**
     * Finds capacity and latency: first the best that any level shows beyond chance, then, since a best of many is a lucky
     * one, the mean over all levels on either side of the knee that follows.
     */
    private void fit() {
        double bestRate = 0;
        double bestLatency = Double.POSITIVE_INFINITY;
        double anyRate = 0;
        for (int i = 0; i < LEVELS; i++) {
            if (answers[i] > 0) {
                double n = answers[i];
                // Not smoothed over the neighbours: below the knee, those of lower concurrency would hide that it
                // rises.
                double rate = n / seconds[i] * (1 - noise(n));
                anyRate = Math.max(anyRate, rate);
                if (n >= ENOUGH * variation) {
                    bestRate = Math.max(bestRate, rate);
                }
                bestLatency = Math.min(bestLatency, area[i] / n * (1 + noise(n)));
            }
        }
        capacity = bestRate > 0 ? bestRate : anyRate;
        latency = bestLatency;
        double rate = capacity;
        for (int round = 0; round < 3; round++) {
            double knee = knee();
            latency = mean(area, answers, answers, 0, LINEAR_UP_TO * knee, bestLatency);
            double flat = mean(answers, seconds, answers, FLAT_FROM * knee, FLAT_UP_TO * knee, rate);
            capacity = Math.max(rate, flat);
        }
    }

    private double mean(double[] of, double[] per, double[] count, double from, double upTo, double otherwise) {
        double sum = 0;
        double weight = 0;
        double n = 0;
        for (int i = 0; i < LEVELS; i++) {
            double at = area[i] / seconds[i];
            if (count[i] > 0 && at >= from && at <= upTo) {
                sum += of[i];
                weight += per[i];
                n += count[i];
            }
        }
        return n >= ENOUGH * variation ? sum / weight : otherwise;
    }

    private boolean seen(int from, int to, double lastSeconds) {
        double n = 0;
        for (int i = from; i < to; i++) {
            if (touched[i] >= now - lastSeconds) {
                n += answers[i];
            }
        }
        return n >= ENOUGH * variation;
    }

    /** Relative standard error of a rate that was taken from so many answers. */
    private double noise(double count) {
        return Math.min(0.5, Math.sqrt(variation / Math.max(1, count)));
    }

    private void weigh(int level, double factor) {
        answers[level] *= factor;
        seconds[level] *= factor;
        area[level] *= factor;
    }

    private static double around(double[] values, int level) {
        double sum = 0;
        for (int i = Math.max(0, level - 1); i <= Math.min(LEVELS - 1, level + 1); i++) {
            sum += values[i];
        }
        return sum;
    }

    /** Levels begin at a quarter of a request and end, two doublings less than there are levels for, at 16,000. */
    private static int level(double concurrency) {
        double doublings = Math.log(Math.max(0.25, concurrency)) / LN_STEP + 2 * STEPS_PER_DOUBLING;
        return Math.min(LEVELS - 1, (int) Math.round(doublings));
    }
}
