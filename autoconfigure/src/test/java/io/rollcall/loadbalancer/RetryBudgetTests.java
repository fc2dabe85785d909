package io.rollcall.loadbalancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class RetryBudgetTests {

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - 5);

    @Test
    void allowsTheFloorWithoutCalls() {
        RetryBudget budget = new RetryBudget(0.2, 3, clock::get);
        assertThat(spendAllOf(budget)).isEqualTo(3);
    }

    @Test
    void allowsAShareOfTheCalls() {
        RetryBudget budget = new RetryBudget(0.2, 3, clock::get);
        call(budget, 1000);
        assertThat(spendAllOf(budget)).isEqualTo(203);
    }

    @Test
    void countsTheLastTenSecondsOnly() {
        RetryBudget budget = new RetryBudget(0.2, 0, clock::get);
        call(budget, 1000);
        assertThat(spendAllOf(budget)).isEqualTo(200);
        pass(Duration.ofSeconds(9));
        call(budget, 100);
        assertThat(spendAllOf(budget)).isEqualTo(20);
        pass(Duration.ofSeconds(1));
        assertThat(spendAllOf(budget)).isZero();
        call(budget, 10);
        assertThat(spendAllOf(budget)).isEqualTo(2);
        pass(Duration.ofDays(400));
        assertThat(spendAllOf(budget)).isZero();
    }

    @Test
    void boundsASteadyStreamOfFailures() {
        RetryBudget budget = new RetryBudget(0.2, 10, clock::get);
        int retries = 0;
        for (int i = 0; i < 60_000; i++) {
            call(budget, 1);
            if (budget.allowsRetry()) {
                budget.spend(1);
                retries++;
            }
            pass(Duration.ofMillis(1));
        }
        assertThat(retries).isBetween(11_900, 12_000 + 7 * 10);
    }

    @Test
    void ofZeroAllowsNothing() {
        RetryBudget budget = new RetryBudget(0, 0, clock::get);
        call(budget, 1000);
        assertThat(budget.allowsRetry()).isFalse();
    }

    private void pass(Duration duration) {
        clock.addAndGet(duration.toNanos());
    }

    private static void call(RetryBudget budget, int calls) {
        for (int i = 0; i < calls; i++) {
            budget.called();
        }
    }

    private static int spendAllOf(RetryBudget budget) {
        int spent = 0;
        while (budget.allowsRetry()) {
            budget.spend(1);
            spent++;
        }
        return spent;
    }
}
