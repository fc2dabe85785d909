package io.rollcall.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BackoffTests {

    private final Random random = new Random(1);

    @Test
    void doublesUpToTheCapAndTakesARandomShareOfIt() {
        Backoff backoff = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(1));

        for (int i = 0; i < 100; i++) {
            assertThat(backoff.delay(1, random)).isBetween(Duration.ofMillis(50), Duration.ofMillis(100));
            assertThat(backoff.delay(3, random)).isBetween(Duration.ofMillis(200), Duration.ofMillis(400));
            assertThat(backoff.delay(9, random)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
            assertThat(backoff.delay(1_000_000, random)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
        }
    }

    @Test
    void doesNotBringInstancesBackTogether() {
        Backoff backoff = Backoff.within(Duration.ofSeconds(5));

        assertThat(java.util.stream.Stream.generate(() -> backoff.delay(5, random))
                        .limit(100)
                        .distinct())
                .hasSizeGreaterThan(90);
    }

    @Test
    void neverWaitsLongerThanAnInterval() {
        assertThat(Backoff.within(Duration.ofMillis(50)).delay(1, random)).isLessThanOrEqualTo(Duration.ofMillis(50));
    }
}
