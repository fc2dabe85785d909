package io.rollcall.concurrency.adaptive;

/**
 * Bounds of an {@link AdaptiveLimit}. Immutable.
 *
 * @param initial the limit before anything was measured, and the one that idle time returns to
 * @param floor   the limit never goes below this, so that there are always answers to learn from
 * @param ceiling the limit never goes above this, whatever is measured
 */
public record AdaptiveLimitConfig(int initial, int floor, int ceiling) {

    /** Enough for a few processors or a small pool; wrong values cost some windows, not more. */
    public static final int DEFAULT_INITIAL = 20;

    /** A limit of one cannot tell a slow request from a slow service, and one stuck request would close it. */
    public static final int DEFAULT_FLOOR = 4;

    /** Far above what one instance does well at once, far below what exhausts memory or sockets. */
    public static final int DEFAULT_CEILING = 1000;

    public AdaptiveLimitConfig {
        if (floor < 1) {
            throw new IllegalArgumentException("floor must be at least 1, but is " + floor);
        }
        if (ceiling < floor) {
            throw new IllegalArgumentException("ceiling must be at least the floor " + floor + ", but is " + ceiling);
        }
        if (initial < floor || initial > ceiling) {
            throw new IllegalArgumentException(
                    "initial must be between floor " + floor + " and ceiling " + ceiling + ", but is " + initial);
        }
    }

    /** Returns the default bounds: start at 20, between 4 and 1,000. */
    public static AdaptiveLimitConfig defaults() {
        return new AdaptiveLimitConfig(DEFAULT_INITIAL, DEFAULT_FLOOR, DEFAULT_CEILING);
    }

    /** Returns these bounds with another start value. */
    public AdaptiveLimitConfig withInitial(int value) {
        return new AdaptiveLimitConfig(value, floor, ceiling);
    }

    /** Returns these bounds with another floor; the start value is raised to it where necessary. */
    public AdaptiveLimitConfig withFloor(int value) {
        return new AdaptiveLimitConfig(Math.max(initial, value), value, ceiling);
    }

    /** Returns these bounds with another ceiling; the start value is lowered to it where necessary. */
    public AdaptiveLimitConfig withCeiling(int value) {
        return new AdaptiveLimitConfig(Math.min(initial, value), floor, value);
    }
}
