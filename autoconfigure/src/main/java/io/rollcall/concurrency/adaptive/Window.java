package io.rollcall.concurrency.adaptive;

/**
 * What was seen of the service between two moments.
 *
 * @param nanos            length, above 0
 * @param meanInFlight     time average of the number in flight
 * @param peakInFlight     the most that were in flight at once
 * @param inFlightChange   number in flight at the end less that at the start
 * @param released         requests that ended, however they did
 * @param answered         those of them that were answered successfully
 * @param refused          requests that the limit did not admit
 * @param squaredVariation squared coefficient of variation of the latency, or {@code NaN} if too few were timed
 */
record Window(
        long nanos,
        double meanInFlight,
        int peakInFlight,
        int inFlightChange,
        long released,
        long answered,
        long refused,
        double squaredVariation) {

    double seconds() {
        return nanos / 1e9;
    }

    /** Useful answers per second. Time-outs and errors are none, so a limit that only lets more of them in gains nothing. */
    double throughput() {
        return answered / seconds();
    }

    /** Mean latency in seconds by Little's law: exact for any distribution, and counts what is stuck, too. */
    double latency() {
        return meanInFlight / throughput();
    }

    /** Requests that came, admitted or not. */
    double arrived() {
        return Math.max(0, released + inFlightChange + refused);
    }

    /** Requests per second that came, admitted or not. */
    double offered() {
        return arrived() / seconds();
    }

    /**
     * Whether about as many left as came in. Otherwise throughput does not belong to the number in flight yet: after the
     * limit was raised, the requests that fill it up have had no time to end.
     */
    boolean balanced() {
        return Math.abs(inFlightChange) <= 0.25 * released;
    }
}
