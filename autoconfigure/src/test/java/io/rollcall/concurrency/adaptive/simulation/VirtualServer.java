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
        workers = newWorkers;
        slowness = newSlowness;
        dependency = newDependency;
        fillWorkers();
    }

    void accept(Request request) {
        progress(request.arrived);
        double wait = dependency * request.work;
        if (wait > 0) {
            request.mark = request.arrived + wait;
            outside.add(request);
        } else {
            startWork(request);
        }
    }

    /** The next moment at which something happens by itself. */
    double nextEvent() {
        double first = outside.isEmpty() ? Double.POSITIVE_INFINITY : outside.peek().mark;
        if (inside.isEmpty()) {
            return first;
        }
        double mark = inside.peek().mark;
        double end = shared ? now + Math.max(0, mark - served) / speed() : mark;
        return Math.min(first, end);
    }

    /** Makes happen what {@link #nextEvent()} announced; returns the request that was answered, or null if none was. */
    Request proceed(double at) {
        progress(at);
        if (!outside.isEmpty() && outside.peek().mark <= at) {
            startWork(outside.poll());
            return null;
        }
        Request answered = inside.poll();
        fillWorkers();
        return answered;
    }

    private void startWork(Request request) {
        if (shared) {
            request.mark = served + request.work * slowness;
            inside.add(request);
        } else {
            queue.add(request);
            fillWorkers();
        }
    }

    private void fillWorkers() {
        while (!shared && !queue.isEmpty() && inside.size() < workers) {
            Request request = queue.poll();
            request.mark = now + request.work * slowness;
            inside.add(request);
        }
    }

    private void progress(double at) {
        served += (at - now) * speed();
        now = at;
    }

    /** Work that each request gets done per second. */
    private double speed() {
        int n = inside.size();
        if (!shared || n <= workers) {
            return 1;
        }
        double excess = (n - workers) / workers;
        return workers / n / (1 + crowding * excess);
    }
}
