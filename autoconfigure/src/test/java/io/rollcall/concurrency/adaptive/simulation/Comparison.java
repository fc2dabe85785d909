package io.rollcall.concurrency.adaptive.simulation;

import io.rollcall.concurrency.adaptive.AdaptiveLimitConfig;
import java.util.Arrays;
import java.util.function.LongFunction;
import java.util.stream.IntStream;

/** Means over several seeds of what a limiter brings in a trace, beside the best that any constant limit brings. */
final class Comparison {

    private static final double[] GRID = {0.75, 1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24};

    private final long[] seeds;

    Comparison(long... seeds) {
        this.seeds = seeds;
    }

    /**
     * @param goodput answers within a second, beside the best constant limit
     * @param refused share of the arrivals
     * @param p99     of the answered, beside that of a request that is alone
     * @param limit   mean
     */
    record Figures(double goodput, double refused, double p99, double limit) {}

    /** Answers within a second that the best constant limit brings. */
    double best(Trace trace) {
        double oneEach = trace.site().workers() * (1 + trace.site().dependency());
        return Arrays.stream(GRID)
                .mapToInt(factor -> (int) Math.max(1, Math.round(factor * oneEach)))
                .parallel()
                .mapToDouble(limit -> inTime(trace, limit))
                .max()
                .orElseThrow();
    }

    private double inTime(Trace trace, int limit) {
        return Arrays.stream(seeds)
                .mapToDouble(seed ->
                        Simulation.run(trace, Limiter.fixed(limit), seed).inTime())
                .average()
                .orElseThrow();
    }

    Figures rollcall(Trace trace, AdaptiveLimitConfig config, double best) {
        return figures(trace, seed -> Limiter.rollcall(config, seed), best);
    }

    Figures figures(Trace trace, LongFunction<Limiter> limiter, double best) {
        Outcomes[] all = IntStream.range(0, seeds.length)
                .parallel()
                .mapToObj(i -> Simulation.run(trace, limiter.apply(seeds[i]), seeds[i]))
                .toArray(Outcomes[]::new);
        return new Figures(
                mean(all, Outcomes::inTime) / Math.max(1, best),
                mean(all, Outcomes::refused),
                mean(all, Outcomes::p99) / trace.site().unloadedP99(),
                mean(all, Outcomes::meanLimit));
    }

    private static double mean(Outcomes[] all, java.util.function.ToDoubleFunction<Outcomes> value) {
        return Arrays.stream(all).mapToDouble(value).average().orElseThrow();
    }
}
