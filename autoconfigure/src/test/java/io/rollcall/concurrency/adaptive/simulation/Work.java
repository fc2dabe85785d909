package io.rollcall.concurrency.adaptive.simulation;

import java.util.Random;

/**
 * How long requests take of a server's work.
 *
 * @param mean    seconds
 * @param spread  see the kind
 * @param kind    distribution
 */
record Work(double mean, double spread, Kind kind) {

    enum Kind {
        /** Exponential; the spread is not used. */
        EXPONENTIAL,
        /** Log-normal; the spread is the standard deviation of the logarithm. */
        LOG_NORMAL,
        /** Nine of ten take a hundredth of what the tenth takes. */
        TWO_KINDS,
        /** Always the same. */
        CONSTANT
    }

    static Work exponential(double mean) {
        return new Work(mean, 1, Kind.EXPONENTIAL);
    }

    static Work logNormal(double mean) {
        return new Work(mean, 1, Kind.LOG_NORMAL);
    }

    static Work twoKinds(double quick) {
        return new Work(0.9 * quick + 0.1 * 100 * quick, 100, Kind.TWO_KINDS);
    }

    static Work constant(double mean) {
        return new Work(mean, 0, Kind.CONSTANT);
    }

    double draw(Random random) {
        return switch (kind) {
            case EXPONENTIAL -> -mean * Math.log(1 - random.nextDouble());
            case LOG_NORMAL -> mean * Math.exp(spread * random.nextGaussian() - spread * spread / 2);
            case TWO_KINDS -> mean / 10.9 * (random.nextInt(10) == 0 ? spread : 1);
            case CONSTANT -> mean;
        };
    }

    /** The 99th percentile of a request that is alone. */
    double p99() {
        return switch (kind) {
            case EXPONENTIAL -> mean * Math.log(100);
            case LOG_NORMAL -> mean * Math.exp(2.3263 * spread - spread * spread / 2);
            case TWO_KINDS -> mean / 10.9 * spread;
            case CONSTANT -> mean;
        };
    }
}
