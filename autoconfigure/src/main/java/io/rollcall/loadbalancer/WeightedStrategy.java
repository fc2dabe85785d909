package io.rollcall.loadbalancer;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.Request;

/**
 * In proportion to the instances' weights, exactly so in the long run and evenly spread on the way: the instances lie on
 * a line, each as long as its weight, and the n-th choice is the one at the fractional part of n times the golden ratio.
 * Those points fill the line more evenly than random ones (Weyl's equidistribution theorem; the golden ratio has the
 * smallest discrepancy), need one shared counter and no lock.
 */
final class WeightedStrategy implements SelectionStrategy {

    /** The fractional part of the golden ratio, times 2 to the 64th, the nearest odd number. */
    private static final long GOLDEN_RATIO = 0x9E3779B97F4A7C15L;

    private final PerList<long[]> ends = new PerList<>(WeightedStrategy::ends);

    private final AtomicLong point = new AtomicLong(ThreadLocalRandom.current().nextLong());

    @Override
    public ServiceInstance choose(List<ServiceInstance> candidates, Request<?> request) {
        // Retries, being tied to what was chosen before, would disturb the sequence.
        boolean retry = Call.isRetry(request);
        long[] ends = retry ? ends(candidates) : this.ends.of(candidates);
        long fraction = (retry ? ThreadLocalRandom.current().nextLong() : point.getAndAdd(GOLDEN_RATIO)) >>> 1;
        // fraction / 2^63 * total, in whole numbers
        long position = Math.multiplyHigh(fraction, ends[ends.length - 1] << 1);
        return candidates.get(firstBeyond(ends, position));
    }

    private static long[] ends(List<ServiceInstance> candidates) {
        long[] ends = new long[candidates.size()];
        long end = 0;
        for (int i = 0; i < ends.length; i++) {
            end += Weight.of(candidates.get(i));
            ends[i] = end;
        }
        return ends;
    }

    private static int firstBeyond(long[] ends, long position) {
        int low = 0;
        int high = ends.length - 1;
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (ends[middle] > position) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return low;
    }
}
