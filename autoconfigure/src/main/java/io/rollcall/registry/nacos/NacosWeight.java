package io.rollcall.registry.nacos;

import io.rollcall.registry.Instance;

/**
 * Translates weights. An instance that says nothing has weight 1.0 in Nacos, and 100 here: so 1 there is 100 here, and stock instances
 * share the traffic with ours as they should. 0 is no traffic on both sides.
 */
final class NacosWeight {

    /** Sums and products of floating-point numbers are a little off; no weight is meant to differ by as little. */
    private static final double PRECISION = 1e6;

    private NacosWeight() {}

    /** The weight of an instance of ours, in Nacos. */
    static double toNacos(int weight) {
        return weight / (double) Instance.DEFAULT_WEIGHT;
    }

    /** The weight of an instance of Nacos here: at least 1 unless it is 0. */
    static int fromNacos(double weight) {
        if (Double.isNaN(weight)) {
            return Instance.DEFAULT_WEIGHT;
        }
        double here = Math.round(weight * Instance.DEFAULT_WEIGHT * PRECISION) / PRECISION;
        int whole = (int) Math.max(0, Math.min(Instance.MAX_WEIGHT, Math.ceil(here)));
        return whole == 0 && weight > 0 ? 1 : whole;
    }
}
