package io.rollcall.concurrency.adaptive.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * A server and what befalls it.
 *
 * @param offered    requests per second in the beginning
 * @param from       start of the interval that counts
 * @param upTo       its end, and that of the run
 * @param timeOut    every request ends in a time-out after this time instead of an answer; 0 if not
 */
record Trace(String name, Site site, double offered, double from, double upTo, double timeOut, List<Change> changes) {

    /** A kind of server. */
    record Site(String name, boolean shared, int workers, double crowding, double dependency, Work work) {

        double capacity() {
            return workers / work.mean();
        }

        double unloadedP99() {
            return (1 + dependency) * work.p99();
        }
    }

    /** From a moment on everything is as it says, in multiples of the beginning, the dependency as an absolute. */
    record Change(double at, double load, double workers, double slowness, double dependency) {}

    static final Site CPU = new Site("8 processors, 10 ms", true, 8, 0, 0, Work.exponential(0.01));
    static final Site POOL = new Site("pool of 64, 50 ms", false, 64, 0, 0, Work.logNormal(0.05));
    static final Site MIXED = new Site("pool of 16, 1 or 100 ms", false, 16, 0, 0, Work.twoKinds(0.001));
    static final Site CROWDED = new Site("8 crowded processors", true, 8, 0.1, 0, Work.exponential(0.01));
    static final Site SMALL = new Site("2 processors, 50 ms", true, 2, 0, 0, Work.exponential(0.05));
    static final Site LARGE = new Site("pool of 200, 100 ms", false, 200, 0, 0, Work.logNormal(0.1));
    static final Site RARE = new Site("4 processors, 100 ms", true, 4, 0, 0, Work.exponential(0.1));
    static final Site WAITING = new Site("4 processors, mostly waiting", true, 4, 0, 9, Work.exponential(0.005));
    static final Site INSTANT = new Site("1 processor, 25 us", true, 1, 0, 0, Work.exponential(25e-6));
    static final Site EVEN = new Site("32 processors, always 20 ms", true, 32, 0, 0, Work.constant(0.02));

    static Trace steady(Site site, double load) {
        return trace("steady", site, load, 20, 60, List.of());
    }

    static Trace halved(Site site, double load) {
        return trace(
                "half the workers 40..70 s",
                site,
                load,
                20,
                100,
                List.of(new Change(40, 1, 0.5, 1, site.dependency()), new Change(70, 1, 1, 1, site.dependency())));
    }

    static Trace slowDependency(Site site, double load) {
        return slowDependency(site, load, 5);
    }

    /** A dependency makes each request take so many times longer than it takes alone, and nobody competes for it. */
    static Trace slowDependency(Site site, double load, double times) {
        String what = String.format(Locale.ROOT, "dependency %.0fx slow 40..70 s", times);
        return trace(what, site, load, 40, 70, List.of(new Change(40, 1, 1, 1, waiting(site, times))));
    }

    /** As {@link #slowDependency}, after an overload from which the limit has learnt. */
    static Trace slowDependencyAfterOverload(Site site, double load, double times) {
        String what = String.format(Locale.ROOT, "overload 5..25 s, dependency %.0fx slow 40..70 s", times);
        return trace(
                what,
                site,
                load,
                40,
                70,
                List.of(
                        new Change(5, 2 / load, 1, 1, site.dependency()),
                        new Change(25, 1, 1, 1, site.dependency()),
                        new Change(40, 1, 1, 1, waiting(site, times))));
    }

    private static double waiting(Site site, double times) {
        return site.dependency() + (times - 1) * (1 + site.dependency());
    }

    static Trace coldStart(Site site, double load) {
        double dependency = site.dependency();
        return trace(
                "cold start",
                site,
                load,
                0,
                15,
                List.of(
                        new Change(0, 1, 1, 4, dependency),
                        new Change(2, 1, 1, 2.5, dependency),
                        new Change(4, 1, 1, 1.6, dependency),
                        new Change(6, 1, 1, 1.2, dependency),
                        new Change(8, 1, 1, 1, dependency)));
    }

    static Trace bursts(Site site, double load) {
        List<Change> changes = new ArrayList<>();
        for (double at = 5; at < 60; at += 10) {
            changes.add(new Change(at, 4, 1, 1, site.dependency()));
            changes.add(new Change(at + 1, 1, 1, 1, site.dependency()));
        }
        return trace("bursts of 4x, 1 in 10 s", site, load, 20, 60, changes);
    }

    static Trace noise(Site site, double load) {
        List<Change> changes = new ArrayList<>();
        Random random = new Random(17);
        for (double at = 1; at < 60; at += 0.5) {
            changes.add(new Change(at, 1, 1, 0.8 + 0.4 * random.nextDouble(), site.dependency()));
        }
        return trace("speed varies by 20 %", site, load, 20, 60, changes);
    }

    static Trace ramp(Site site) {
        List<Change> changes = new ArrayList<>();
        for (int at = 0; at < 80; at++) {
            double load = at < 40 ? 0.3 + at * 1.7 / 40 : 2 - (at - 40) * 1.7 / 40;
            changes.add(new Change(at, load, 1, 1, site.dependency()));
        }
        return trace("load 0.3 to 2 and back", site, 1, 0, 80, changes);
    }

    static Trace pauses(Site site, double load) {
        List<Change> changes = new ArrayList<>();
        for (double at = 10; at < 80; at += 20) {
            changes.add(new Change(at, 0.002, 1, 1, site.dependency()));
            changes.add(new Change(at + 10, 1, 1, 1, site.dependency()));
        }
        return trace("pauses of 10 s", site, load, 0, 80, changes);
    }

    static Trace timeOuts(Site site, double load) {
        return new Trace("only time-outs, 5 s", site, load * site.capacity(), 20, 120, 5, List.of());
    }

    /** Answers that a perfect limit could bring at most: the load or the capacity, whichever is less at each moment. */
    double possible() {
        double sum = 0;
        Change now = new Change(0, 1, 1, 1, site.dependency());
        List<Change> all = new ArrayList<>(changes);
        all.add(new Change(upTo, 0, 0, 1, 0));
        for (Change next : all) {
            double seconds = Math.max(0, Math.min(next.at(), upTo) - Math.max(now.at(), from));
            double capacity = site.capacity() * now.workers() / now.slowness();
            sum += seconds * Math.min(offered * now.load(), capacity);
            now = next;
        }
        return sum;
    }

    private static Trace trace(String what, Site site, double load, double from, double upTo, List<Change> changes) {
        String name = site.name() + ", " + String.format("%.3g", load) + "x, " + what;
        return new Trace(name, site, load * site.capacity(), from, upTo, 0, List.copyOf(changes));
    }
}
