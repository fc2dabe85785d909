package io.rollcall.concurrency;

import io.rollcall.InvalidConfigurationException;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * What {@code auto} stays within.
 *
 * @param floor the lowest limit, at least 1
 * @param ceiling the highest limit, at least the floor
 */
record LimitBounds(int floor, int ceiling) {

    /** Where nothing in the server caps what runs at once, memory does; this many requests fit any heap of today. */
    private static final int DEFAULT_CEILING = 2000;

    private static final int FEWEST_WORKERS = 4;
    private static final String PREFIX = "rollcall.concurrency.";

    /**
     * @param threads how many threads the web server handles requests on, if that is what caps them. The default ceiling
     *     leaves a tenth of them free, without which nobody would be there to refuse.
     */
    static LimitBounds of(@Nullable Integer floor, @Nullable Integer ceiling, OptionalInt threads) {
        int highest = ceiling != null ? positive("ceiling", ceiling) : defaultCeiling(threads);
        int lowest = floor != null ? positive("floor", floor) : Math.min(highest, defaultFloor());
        if (lowest > highest) {
            throw new InvalidConfigurationException(
                    PREFIX + "floor",
                    Integer.toString(lowest),
                    "it is above the ceiling, " + highest,
                    "Lower it, or raise 'rollcall.concurrency.ceiling'.");
        }
        return new LimitBounds(lowest, highest);
    }

    private static int defaultCeiling(OptionalInt threads) {
        if (threads.isEmpty()) {
            return DEFAULT_CEILING;
        }
        int max = threads.getAsInt();
        return Math.max(1, max - Math.max(1, max / 10));
    }

    private static int defaultFloor() {
        return Math.max(FEWEST_WORKERS, Runtime.getRuntime().availableProcessors());
    }

    private static int positive(String name, int value) {
        if (value < 1) {
            throw new InvalidConfigurationException(
                    PREFIX + name,
                    Integer.toString(value),
                    "it is below 1",
                    "Set a whole number from 1, or leave the property out.");
        }
        return value;
    }
}
