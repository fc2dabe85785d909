package io.rollcall.loadbalancer;

import java.time.Duration;
import org.springframework.util.Assert;

/** When an instance that fails is set aside by this application, long before a registry notices. */
public class OutlierProperties {

    /** Whether instances are set aside at all. */
    private boolean enabled = true;

    /** Server errors and time-outs in a row after which an instance is set aside. One that can not be reached is at once. */
    private int consecutiveFailures = 5;

    /** Time until a single call tries an instance that was set aside; it doubles with each failure. */
    private Duration baseInterval = Duration.ofSeconds(1);

    /** Longest time between two such calls. */
    private Duration maxInterval = Duration.ofSeconds(30);

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public int getConsecutiveFailures() {
        return consecutiveFailures;
    }

    public void setConsecutiveFailures(int consecutiveFailures) {
        Assert.isTrue(consecutiveFailures >= 1, "must be 1 or more");
        this.consecutiveFailures = consecutiveFailures;
    }

    public Duration getBaseInterval() {
        return baseInterval;
    }

    public void setBaseInterval(Duration baseInterval) {
        Assert.isTrue(isUsable(baseInterval), "must be above zero and at most an hour");
        this.baseInterval = baseInterval;
    }

    public Duration getMaxInterval() {
        return maxInterval;
    }

    public void setMaxInterval(Duration maxInterval) {
        Assert.isTrue(isUsable(maxInterval), "must be above zero and at most an hour");
        this.maxInterval = maxInterval;
    }

    private static boolean isUsable(Duration interval) {
        return !interval.isNegative() && !interval.isZero() && interval.compareTo(Duration.ofHours(1)) <= 0;
    }
}
