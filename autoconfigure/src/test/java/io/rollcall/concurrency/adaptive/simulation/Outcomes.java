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
        arrivals++;
        refusals += admitted ? 0 : 1;
        limits += limit;
        lowest = Math.min(lowest, limit);
        highest = Math.max(highest, limit);
    }

    void answered(double latency) {
        if (answers == latencies.length) {
            latencies = Arrays.copyOf(latencies, 2 * answers);
        }
        latencies[answers++] = latency;
        inTime += latency <= PATIENCE ? 1 : 0;
    }

    long inTime() {
        return inTime;
    }

    double refused() {
        return (double) refusals / Math.max(1, arrivals);
    }

    double p99() {
        double[] sorted = Arrays.copyOf(latencies, answers);
        Arrays.sort(sorted);
        return answers == 0 ? Double.NaN : sorted[(int) (0.99 * (answers - 1))];
    }

    double meanLimit() {
        return limits / Math.max(1, arrivals);
    }

    int lowestLimit() {
        return lowest;
    }

    int highestLimit() {
        return highest;
    }
}
