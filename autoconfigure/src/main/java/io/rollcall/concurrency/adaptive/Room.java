package io.rollcall.concurrency.adaptive;

/**
 * The limit while the service keeps up: well above what is in use, so that bursts and slow dependencies find room at once.
 * Spare room goes slowly, down to where the limit began. A service that was seen to suffer from crowds gets less, since a
 * burst that fills the room would keep itself up there. Not thread-safe.
 */
final class Room {

    /** Room to keep above the load, in multiples of what it needs without queueing. */
    private static final double ROOM = 10;

    /** More than the load brings in this time would only be waited in. */
    private static final double LONG_SECONDS = 1;

    /** Answers that take longer than {@link #LONG_SECONDS}, and so many times longer than at best, get no more room. */
    private static final double MUCH_SLOWER = 6;

    /** Largest growth in one window, so that a service which suffers from crowds is not flooded. */
    private static final double GROWTH = 1.25;

    /** Room above the recent peak shrinks by half in about 14 seconds, long enough to outlast a pause between bursts. */
    private static final double SECONDS = 20;

    /** Of a crowd that did harm, so much may come again. */
    private static final double CROWD_SHARE = 0.5;

    /** What the load needs is given in any case, so many times. */
    private static final double NEEDED = 2;

    private static final double NEARLY = 0.9;

    private final int initial;
    private double peak;
    private double crowd = Double.POSITIVE_INFINITY;

    Room(int initial) {
        this.initial = initial;
    }

    void add(Window window) {
        peak = Math.max(window.peakInFlight(), peak * Math.exp(-window.seconds() / SECONDS));
    }

    /** So many at once have cost the service answers. */
    void crowded(double inFlight) {
        crowd = Math.min(crowd, inFlight);
    }

    /** Whether that limit lets in as many as may come again of a crowd. */
    boolean admitsCrowd(double limit) {
        return limit > NEARLY * CROWD_SHARE * crowd;
    }

    /** The service is another one. */
    void forget() {
        crowd = Double.POSITIVE_INFINITY;
    }

    /**
     * @param limit   as it is
     * @param offered requests per second that come
     * @param latency without queueing, in seconds; 0 if unknown
     * @param stretch how much longer than exponential ones queues get
     */
    double next(double limit, Window window, double offered, double latency, double stretch) {
        double needed = offered * latency;
        double spare = Math.min(ROOM * needed, Math.max(needed, LONG_SECONDS * offered));
        double room = Math.max(2 * peak, spare);
        if (needed > 0) {
            // A queue that grows is no reason to let it grow further.
            room = Math.min(room, Math.max(limit, ROOM * needed * stretch));
        }
        if (window.latency() > Math.max(LONG_SECONDS, MUCH_SLOWER * latency)) {
            // Whether that is a queue or a dependency shows only where the limit is felt.
            room = Math.min(room, limit);
        }
        double most = Math.max(NEEDED * needed * stretch, CROWD_SHARE * crowd);
        return towards(Math.min(room, most), Math.min(limit, most), window);
    }

    private double towards(double room, double limit, Window window) {
        if (room >= limit) {
            return Math.min(room, limit * GROWTH);
        }
        double shrunk = Math.max(room, limit * Math.exp(-window.seconds() / SECONDS));
        return Math.max(Math.min(limit, initial), shrunk);
    }
}
