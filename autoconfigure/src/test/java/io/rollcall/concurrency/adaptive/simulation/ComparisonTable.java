package io.rollcall.concurrency.adaptive.simulation;

import com.netflix.concurrency.limits.limit.Gradient2Limit;
import com.netflix.concurrency.limits.limit.VegasLimit;
import io.rollcall.concurrency.adaptive.AdaptiveLimitConfig;
import io.rollcall.concurrency.adaptive.simulation.Comparison.Figures;
import java.util.Locale;

/**
 * Prints the complete table, which takes some minutes.
 *
 * <pre>
 * ./mvnw -B -q -pl autoconfigure test-compile dependency:build-classpath -Dmdep.outputFile=target/test.classpath
 * java -cp autoconfigure/target/test-classes:autoconfigure/target/classes:$(cat autoconfigure/target/test.classpath) \
 *     io.rollcall.concurrency.adaptive.simulation.ComparisonTable [part of a trace's name]
 * </pre>
 *
 * The figures of Netflix's Vegas vary a little from run to run, since it draws from the thread's own random numbers.
 */
public final class ComparisonTable {

    private ComparisonTable() {}

    /** @param args a part of the names of the traces that are wanted, or nothing */
    public static void main(String[] args) {
        String wanted = args.length > 0 ? args[0] : "";
        Comparison comparison = new Comparison(1, 2, 3);
        System.out.println("| trace | Rollcall: goodput | refused | p99 | mean limit | Gradient2: goodput | p99"
                + " | Vegas: goodput | p99 |");
        System.out.println("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
        double sum = 0;
        double worst = 1;
        int count = 0;
        for (Trace trace : Traces.all()) {
            if (trace.name().contains(wanted)) {
                double best = comparison.best(trace);
                Figures ours = comparison.rollcall(trace, AdaptiveLimitConfig.defaults(), best);
                Figures gradient = comparison.figures(trace, seed -> Limiter.netflix(Gradient2Limit::newDefault), best);
                Figures vegas = comparison.figures(trace, seed -> Limiter.netflix(VegasLimit::newDefault), best);
                System.out.printf(
                        Locale.ROOT,
                        "| %s | %.3f | %.1f %% | %.1f | %.0f | %.3f | %.1f | %.3f | %.1f |%n",
                        trace.name(),
                        ours.goodput(),
                        100 * ours.refused(),
                        ours.p99(),
                        ours.limit(),
                        gradient.goodput(),
                        gradient.p99(),
                        vegas.goodput(),
                        vegas.p99());
                sum += ours.goodput();
                worst = Math.min(worst, ours.goodput());
                count++;
            }
        }
        System.out.printf(Locale.ROOT, "%n%d traces, mean %.3f, worst %.3f%n", count, sum / count, worst);
    }
}
