package io.rollcall.registry.nacos;

import io.rollcall.registry.Instance;
import io.rollcall.registry.Swoole;

/** Translates weights. 0 is no traffic on both sides, whatever the scale. */
enum NacosWeight {

    /**
     * An instance that says nothing has weight 1.0 in Nacos, and 100 here: so 1 there is 100 here, and stock instances share the
     * traffic with ours as they should.
     */
    USUAL(Instance.DEFAULT_WEIGHT, Instance.MAX_WEIGHT),

    /** Swoole writes 100, and reads whole numbers up to 100. */
    SWOOLE(1, Swoole.MAX_WEIGHT);

    /** Sums and products of floating-point numbers are a little off; no weight is meant to differ by as little. */
    private static final double PRECISION = 1e6;

    /** What 1.0 in Nacos is here. */
    private final int one;

    /** The highest weight here that is told to Nacos. */
    private final int highest;

    NacosWeight(int one, int highest) {
        this.one = one;
        this.highest = highest;
    }

    /** The weight of an instance of ours, in Nacos. */
    double toNacos(int weight) {
        return Math.min(highest, weight) / (double) one;
    }

    /** The weight of an instance of Nacos here: at least 1 unless it is 0. */
    int fromNacos(double weight) {
        if (Double.isNaN(weight)) {
            return Instance.DEFAULT_WEIGHT;
        }
        double here = Math.round(weight * one * PRECISION) / PRECISION;
        int whole = (int) Math.max(0, Math.min(Instance.MAX_WEIGHT, Math.ceil(here)));
        return whole == 0 && weight > 0 ? 1 : whole;
    }
}
