package io.rollcall.concurrency.adaptive.simulation;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.Random;

/**
 * Runs one limiter through one trace in virtual time. Arrivals are a Poisson stream that does not wait for answers; the
 * same seed gives every limiter the same arrivals with the same work.
 */
final class Simulation {

    private final Trace trace;
    private final Limiter limiter;
    private final Random arrivals;
    private final Random works;
    private final VirtualServer server;
    private final Queue<VirtualServer.Request> timingOut = new ArrayDeque<>();
    private final Outcomes outcomes = new Outcomes();
    private double rate;
    private double nextArrival;
    private int nextChange;

    private Simulation(Trace trace, Limiter limiter, long seed) {
        this.trace = trace;
        this.limiter = limiter;
        arrivals = new Random(seed);
        works = new Random(~seed);
        Trace.Site site = trace.site();
        server = new VirtualServer(site.shared(), site.workers(), site.crowding(), site.dependency());
        rate = trace.offered();
        nextArrival = gap();
    }

    static Outcomes run(Trace trace, Limiter limiter, long seed) {
        Simulation simulation = new Simulation(trace, limiter, seed);
        double now = 0;
        while (now < trace.upTo()) {
            now = simulation.step();
        }
        return simulation.outcomes;
    }

    private double step() {
        double change = nextChange < trace.changes().size()
                ? trace.changes().get(nextChange).at()
                : Double.POSITIVE_INFINITY;
        double timeOut = timingOut.isEmpty() ? Double.POSITIVE_INFINITY : timingOut.peek().arrived + trace.timeOut();
        double event = server.nextEvent();
        double now = Math.min(Math.min(change, timeOut), Math.min(event, nextArrival));
        if (now == change) {
            change(trace.changes().get(nextChange++));
        } else if (now == timeOut) {
            limiter.release(timingOut.poll().permit, nanos(now), false);
        } else if (now == event) {
            VirtualServer.Request answered = server.proceed(now);
            if (answered != null) {
                limiter.release(answered.permit, nanos(now), true);
                if (now >= trace.from()) {
                    outcomes.answered(now - answered.arrived);
                }
            }
        } else {
            arrive(now);
        }
        return now;
    }

    private void change(Trace.Change change) {
        server.become(change.at(), trace.site().workers() * change.workers(), change.slowness(), change.dependency());
        double newRate = trace.offered() * change.load();
        if (newRate != rate) {
            rate = newRate;
            nextArrival = change.at() + gap();
        }
    }

    private void arrive(double now) {
        double work = trace.site().work().draw(works);
        long permit = limiter.acquire(nanos(now));
        if (now >= trace.from()) {
            outcomes.arrived(limiter.limit(), permit >= 0);
        }
        if (permit >= 0) {
            VirtualServer.Request request = new VirtualServer.Request(now, permit, work);
            if (trace.timeOut() > 0) {
                timingOut.add(request);
            } else {
                server.accept(request);
            }
        }
        nextArrival = now + gap();
    }

    private double gap() {
        return -Math.log(1 - arrivals.nextDouble()) / rate;
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }
}
