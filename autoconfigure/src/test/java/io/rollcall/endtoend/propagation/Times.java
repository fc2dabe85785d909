package io.rollcall.endtoend.propagation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongFunction;

/** Measured times of one sort. */
final class Times {

    private final List<Pair> pairs = new ArrayList<>();

    /** Nanoseconds until the discovery client lists the change, and until the load balancer goes by it. */
    record Pair(long listed, long chosen) {}

    void add(Pair pair) {
        pairs.add(pair);
    }

    String row(String registry, String client, String what) {
        return "| %s | %s | %s | %d | %s | %s | %s | %s |"
                .formatted(
                        registry,
                        client,
                        what,
                        pairs.size(),
                        percentile(Pair::listed, 50),
                        percentile(Pair::listed, 99),
                        percentile(Pair::chosen, 50),
                        percentile(Pair::chosen, 99));
    }

    private String percentile(ToLongFunction<Pair> view, int percent) {
        long[] sorted = pairs.stream().mapToLong(view).sorted().toArray();
        if (sorted.length == 0) {
            return "";
        }
        double millis = sorted[Math.min(sorted.length - 1, sorted.length * percent / 100)] / 1e6;
        return millis < 1000
                ? String.format(Locale.ROOT, millis < 10 ? "%.1f ms" : "%.0f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / 1000);
    }
}
