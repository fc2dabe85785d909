package io.rollcall.concurrency.adaptive;

import java.util.SplittableRandom;

/** Varies times by a quarter, so that instances that were started together do not do things together. */
final class Jitter {

    private static final double SPREAD = 0.25;

    private final SplittableRandom random;

    Jitter(long seed) {
        random = new SplittableRandom(seed);
    }

    double of(double value) {
        return value * (1 - SPREAD + 2 * SPREAD * random.nextDouble());
    }
}
