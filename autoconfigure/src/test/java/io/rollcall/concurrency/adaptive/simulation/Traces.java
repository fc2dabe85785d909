package io.rollcall.concurrency.adaptive.simulation;

import static io.rollcall.concurrency.adaptive.simulation.Trace.CPU;
import static io.rollcall.concurrency.adaptive.simulation.Trace.CROWDED;
import static io.rollcall.concurrency.adaptive.simulation.Trace.EVEN;
import static io.rollcall.concurrency.adaptive.simulation.Trace.INSTANT;
import static io.rollcall.concurrency.adaptive.simulation.Trace.LARGE;
import static io.rollcall.concurrency.adaptive.simulation.Trace.MIXED;
import static io.rollcall.concurrency.adaptive.simulation.Trace.POOL;
import static io.rollcall.concurrency.adaptive.simulation.Trace.RARE;
import static io.rollcall.concurrency.adaptive.simulation.Trace.SMALL;
import static io.rollcall.concurrency.adaptive.simulation.Trace.WAITING;

import java.util.ArrayList;
import java.util.List;

/** All traces of the complete table. */
final class Traces {

    private Traces() {}

    static List<Trace> all() {
        List<Trace> traces = new ArrayList<>();
        for (Trace.Site site : List.of(CPU, POOL, MIXED, CROWDED, SMALL, LARGE, RARE, WAITING, EVEN)) {
            for (double load : new double[] {0.5, 0.9, 1.2, 2, 5, 10}) {
                traces.add(Trace.steady(site, load));
            }
            traces.add(Trace.halved(site, 0.9));
            traces.add(Trace.halved(site, 2));
            traces.add(Trace.slowDependency(site, 0.5));
            traces.add(Trace.slowDependency(site, 0.9));
            for (double times : new double[] {10, 20, 50}) {
                traces.add(Trace.slowDependency(site, 0.5, times));
                traces.add(Trace.slowDependency(site, 0.7, times));
                traces.add(Trace.slowDependencyAfterOverload(site, 0.5, times));
            }
            traces.add(Trace.coldStart(site, 0.9));
            traces.add(Trace.coldStart(site, 5));
            traces.add(Trace.bursts(site, 0.5));
            traces.add(Trace.bursts(site, 0.9));
            traces.add(Trace.noise(site, 0.8));
            traces.add(Trace.noise(site, 1.5));
            traces.add(Trace.ramp(site));
            traces.add(Trace.pauses(site, 2));
        }
        traces.add(Trace.steady(INSTANT, 0.25));
        traces.add(Trace.steady(INSTANT, 2));
        return traces;
    }
}
