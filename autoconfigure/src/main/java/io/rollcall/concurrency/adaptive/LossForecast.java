package io.rollcall.concurrency.adaptive;

/**
 * Works out what each limit would cost, by the textbook balance of a queue that loses what finds it full (a birth and
 * death process): with {@code n} in flight, requests come at the offered rate and leave at the rate that was measured for
 * {@code n}, which gives the share of time with {@code n} in flight from that with {@code n - 1}.
 *
 * <p>Requests whose service times vary more than exponential ones queue in longer waves; beyond the knee the balance is
 * stretched by (1 + cv^2) / 2, the heavy-traffic limit of Pollaczek and Khinchine.
 */
final class LossForecast {

    /** Queues longer than so many knees, stretched, are of no use even if the load hardly exceeds the capacity. */
    private static final double LONGEST_QUEUE = 4;

    /** Beyond this the shares of time are scaled down, before they overflow. */
    private static final double LARGE = 1e200;

    private static final double NO_GAIN = 1e-9;

    private final double[] carried;
    private final int last;
    private final double offered;

    /**
     * @param offered requests per second that come
     * @param curve   what is known of the service, its knee above 0
     * @param margin  factor on the knee, against an error in it
     * @param stretch (1 + cv^2) / 2
     * @param highest the highest limit of interest
     */
    LossForecast(double offered, ThroughputCurve curve, double margin, double stretch, int highest) {
        double latency = curve.latency() * margin;
        double knee = curve.capacity() * latency;
        int most = (int) Math.min(highest, Math.ceil(curve.knee() * (1 + LONGEST_QUEUE * stretch)) + 4);
        double[] efficiency = curve.efficiency(most);
        this.offered = Math.max(offered, 1e-9);
        carried = new double[most + 1];
        double weight = 1;
        double total = 1;
        double leaving = 0;
        int n = 0;
        while (n < most && (n <= knee + 1 || carried[n] - carried[n - 1] > NO_GAIN * carried[n])) {
            n++;
            double rate = n <= knee ? n / latency : curve.capacity() * efficiency[n];
            double ratio = this.offered / Math.max(rate, 1e-9);
            weight *= n <= knee ? ratio : Math.pow(ratio, 1 / stretch);
            total += weight;
            leaving += weight * rate;
            carried[n] = leaving / total;
            if (total > LARGE) {
                weight /= total;
                leaving /= total;
                total = 1;
            }
        }
        last = n;
    }

    /**
     * The smallest limit that costs next to nothing.
     *
     * @param loss      share of the best possible throughput that it may cost in any case
     * @param lossShare and per share of the load that has to be refused anyway
     */
    int smallest(double loss, double lossShare) {
        double best = 0;
        for (int n = 1; n <= last; n++) {
            best = Math.max(best, carried[n]);
        }
        double unavoidable = Math.max(0, 1 - best / offered);
        int n = 1;
        while (n < last && carried[n] < best * (1 - loss - lossShare * unavoidable)) {
            n++;
        }
        return n;
    }
}
