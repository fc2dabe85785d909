package io.rollcall.loadbalancer;

import org.springframework.util.Assert;
import org.springframework.util.unit.DataSize;

/** When a call that an instance refused, or could not be reached for, moves on to another instance. */
public class RetryProperties {

    /** Whether calls move on at all. */
    private boolean enabled = true;

    /** How many instances one call may try, the first one included. */
    private int maxAttempts = 3;

    /** Retries in vain that are allowed per call made, over ten seconds and per service. */
    private double budget = 0.2;

    /** Retries in vain that are allowed in ten seconds whatever the number of calls, per service. */
    private int budgetFloor = 100;

    /**
     * Largest request body that is kept so that it can be sent again, where bodies are streamed: WebClient and the
     * gateways. Other clients hold the body in memory anyway and have no such bound.
     */
    private DataSize maxBodySize = DataSize.ofKilobytes(256);

    public boolean isEnabled() {
        return enabled;
    }

    public void setEnabled(boolean enabled) {
        this.enabled = enabled;
    }

    public int getMaxAttempts() {
        return maxAttempts;
    }

    public void setMaxAttempts(int maxAttempts) {
        Assert.isTrue(maxAttempts >= 1, "must be 1 (the first instance only) or more");
        this.maxAttempts = maxAttempts;
    }

    public double getBudget() {
        return budget;
    }

    public void setBudget(double budget) {
        Assert.isTrue(budget >= 0 && budget <= 10, "must be a ratio between 0 and 10, such as 0.2 for 20 %");
        this.budget = budget;
    }

    public int getBudgetFloor() {
        return budgetFloor;
    }

    public void setBudgetFloor(int budgetFloor) {
        Assert.isTrue(budgetFloor >= 0, "must not be negative");
        this.budgetFloor = budgetFloor;
    }

    public DataSize getMaxBodySize() {
        return maxBodySize;
    }

    public void setMaxBodySize(DataSize maxBodySize) {
        Assert.isTrue(
                !maxBodySize.isNegative() && maxBodySize.toBytes() <= Integer.MAX_VALUE - 8,
                "must be between 0B and 2GB");
        this.maxBodySize = maxBodySize;
    }
}
