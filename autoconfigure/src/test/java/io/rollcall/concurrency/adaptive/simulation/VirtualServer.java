package io.rollcall.concurrency.adaptive.simulation;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * A server in virtual time. Requests may first wait for a dependency, which holds nobody up, and then take work from
 * either a pool of workers, one request each in order of arrival, or processors that all requests share.
 */
final class VirtualServer {

    /** One request; times in seconds. */
    static final class Request {

        final double arrived;
        final long permit;
        final double work;
        private double mark;

        Request(double arrived, long permit, double work) {
            this.arrived = arrived;
            this.permit = permit;
            this.work = work;
        }
    }

    private static final Comparator<Request> BY_MARK = Comparator.comparingDouble(request -> request.mark);

    private final boolean shared;
    private final double crowding;
    private final PriorityQueue<Request> outside = new PriorityQueue<>(BY_MARK);
    private final PriorityQueue<Request> inside = new PriorityQueue<>(BY_MARK);
    private final Queue<Request> queue = new ArrayDeque<>();
    private double workers;
    private double slowness = 1;
    private double dependency;
    private double served;
    private double now;

    /**
     * @param shared     processors rather than workers
     * @param crowding   share of the speed that is lost per request beyond the number of processors
     * @param dependency time that each request waits for a dependency, in multiples of its work
     */
    VirtualServer(boolean shared, double workers, double crowding, double dependency) {
        this.shared = shared;
        this.workers = workers;
        this.crowding = crowding;
        this.dependency = dependency;
    }

    void become(double at, double newWorkers, double newSlowness, double newDependency) {
        progress(at);
        this.workers = newWorkers;
        this.slowness = newSlowness;
        this.dependency = newDependency;
        fillWorkers();
    }

    void accept(Request request) {
        progress(request.arrived);
        double wait = this.dependency * request.work;
        if (wait > 0) {
            request.mark = request.arrived + wait;
            this.outside.add(request);
        } else {
            startWork(request);
        }
    }

    /** The next moment at which something happens by itself. */
    double nextEvent() {
        double first = this.outside.isEmpty() ? Double.POSITIVE_INFINITY : this.outside.peek().mark;
        if (this.inside.isEmpty()) {
            return first;
        }
        double mark = this.inside.peek().mark;
        double end = this.shared ? this.now + Math.max(0, mark - this.served) / speed() : mark;
        return Math.min(first, end);
    }

    /** Makes happen what {@link #nextEvent()} announced; returns the request that was answered, or null if none was. */
    Request proceed(double at) {
        progress(at);
        if (!this.outside.isEmpty() && this.outside.peek().mark <= at) {
            startWork(this.outside.poll());
            return null;
        }
        Request answered = this.inside.poll();
        fillWorkers();
        return answered;
    }

    private void startWork(Request request) {
        if (this.shared) {
            request.mark = this.served + request.work * this.slowness;
            this.inside.add(request);
        } else {
            this.queue.add(request);
            fillWorkers();
        }
    }

    private void fillWorkers() {
        while (!this.shared && !this.queue.isEmpty() && this.inside.size() < this.workers) {
            Request request = this.queue.poll();
            request.mark = this.now + request.work * this.slowness;
            this.inside.add(request);
        }
    }

    private void progress(double at) {
        this.served += (at - this.now) * speed();
        this.now = at;
    }

    /** Work that each request gets done per second. */
    private double speed() {
        int n = this.inside.size();
        if (!this.shared || n <= this.workers) {
            return 1;
        }
        double excess = (n - this.workers) / this.workers;
        return this.workers / n / (1 + this.crowding * excess);
    }
}
