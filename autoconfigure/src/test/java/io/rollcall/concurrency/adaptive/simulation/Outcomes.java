package io.rollcall.concurrency.adaptive.simulation;

import java.util.Arrays;

/** What a run brought in the interval that counts. */
final class Outcomes {

    /** A client waits no longer than this. */
    static final double PATIENCE = 1;

    private double[] latencies = new double[1024];
    private int answers;
    private long inTime;
    private long arrivals;
    private long refusals;
    private double limits;
    private int lowest = Integer.MAX_VALUE;
    private int highest;

    void arrived(int limit, boolean admitted) {
        this.arrivals++;
        this.refusals += admitted ? 0 : 1;
        this.limits += limit;
        this.lowest = Math.min(this.lowest, limit);
        this.highest = Math.max(this.highest, limit);
    }

    void answered(double latency) {
        if (this.answers == this.latencies.length) {
            this.latencies = Arrays.copyOf(this.latencies, 2 * this.answers);
        }
        this.latencies[this.answers++] = latency;
        this.inTime += latency <= PATIENCE ? 1 : 0;
    }

    long inTime() {
        return this.inTime;
    }

    double refused() {
        return (double) this.refusals / Math.max(1, this.arrivals);
    }

    double p99() {
        double[] sorted = Arrays.copyOf(this.latencies, this.answers);
        Arrays.sort(sorted);
        return this.answers == 0 ? Double.NaN : sorted[(int) (0.99 * (this.answers - 1))];
    }

    double meanLimit() {
        return this.limits / Math.max(1, this.arrivals);
    }

    int lowestLimit() {
        return this.lowest;
    }

    int highestLimit() {
        return this.highest;
    }
}
