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
        this.arrivals = new Random(seed);
        this.works = new Random(~seed);
        Trace.Site site = trace.site();
        this.server = new VirtualServer(site.shared(), site.workers(), site.crowding(), site.dependency());
        this.rate = trace.offered();
        this.nextArrival = gap();
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
        double change = this.nextChange < this.trace.changes().size()
                ? this.trace.changes().get(this.nextChange).at()
                : Double.POSITIVE_INFINITY;
        double timeOut = this.timingOut.isEmpty()
                ? Double.POSITIVE_INFINITY
                : this.timingOut.peek().arrived + this.trace.timeOut();
        double event = this.server.nextEvent();
        double now = Math.min(Math.min(change, timeOut), Math.min(event, this.nextArrival));
        if (now == change) {
            change(this.trace.changes().get(this.nextChange++));
        } else if (now == timeOut) {
            this.limiter.release(this.timingOut.poll().permit, nanos(now), false);
        } else if (now == event) {
            VirtualServer.Request answered = this.server.proceed(now);
            if (answered != null) {
                this.limiter.release(answered.permit, nanos(now), true);
                if (now >= this.trace.from()) {
                    this.outcomes.answered(now - answered.arrived);
                }
            }
        } else {
            arrive(now);
        }
        return now;
    }

    private void change(Trace.Change change) {
        this.server.become(
                change.at(), this.trace.site().workers() * change.workers(), change.slowness(), change.dependency());
        double newRate = this.trace.offered() * change.load();
        if (newRate != this.rate) {
            this.rate = newRate;
            this.nextArrival = change.at() + gap();
        }
    }

    private void arrive(double now) {
        double work = this.trace.site().work().draw(this.works);
        long permit = this.limiter.acquire(nanos(now));
        if (now >= this.trace.from()) {
            this.outcomes.arrived(this.limiter.limit(), permit >= 0);
        }
        if (permit >= 0) {
            VirtualServer.Request request = new VirtualServer.Request(now, permit, work);
            if (this.trace.timeOut() > 0) {
                this.timingOut.add(request);
            } else {
                this.server.accept(request);
            }
        }
        this.nextArrival = now + gap();
    }

    private double gap() {
        return -Math.log(1 - this.arrivals.nextDouble()) / this.rate;
    }

    private static long nanos(double seconds) {
        return (long) (seconds * 1e9);
    }
}
