package io.rollcall.concurrency.adaptive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** Windows fed by hand: a server with 10 workers that take 10 ms each, 1,000 answers per second. */
class AdaptiveLimitTests {

    private static final double LATENCY = 0.01;

    private static final int WORKERS = 10;

    private final AdaptiveLimit limit = new AdaptiveLimit(AdaptiveLimitConfig.defaults(), 1);

    /** What such a server shows in a window of 200 ms when it is offered so many requests per second. */
    private Window window(double offered, double slowness) {
        double capacity = WORKERS / (LATENCY * slowness);
        double most = Math.min(capacity, limit.limit() / (LATENCY * slowness));
        double throughput = Math.min(offered, most);
        boolean full = offered > most;
        double inFlight = full ? limit.limit() : throughput * LATENCY * slowness;
        long answered = Math.round(throughput * 0.2);
        long refused = Math.round((offered - throughput) * 0.2);
        return new Window(200_000_000, inFlight, (int) Math.ceil(inFlight), 0, answered, answered, refused, 1);
    }

    private void run(int windows, double offered, double slowness) {
        for (int i = 0; i < windows; i++) {
            limit.onWindow(window(offered, slowness));
        }
    }

    @Test
    void findsWhatTheServiceWorksOnAtOnce() {
        run(100, 5000, 1);
        assertThat(limit.keepsUp()).isFalse();
        assertThat(limit.limit()).isBetween(WORKERS, 2 * WORKERS);
    }

    @Test
    void staysThereOverManyRoundsOfOverload() {
        run(100, 5000, 1);
        for (int i = 0; i < 1000; i++) {
            run(1, 5000, 1);
            assertThat(limit.limit()).isBetween(WORKERS / 2, 4 * WORKERS);
        }
    }

    @Test
    void aBaselineLearntUnderOverloadIsCorrected() {
        AdaptiveLimit high = new AdaptiveLimit(AdaptiveLimitConfig.defaults().withInitial(200), 1);
        for (int i = 0; i < 100; i++) {
            int n = high.limit();
            double throughput = Math.min(1000, n / LATENCY);
            high.onWindow(new Window(
                    200_000_000, n, n, 0, Math.round(throughput * 0.2), Math.round(throughput * 0.2), 500, 1));
        }
        assertThat(high.limit()).isBetween(WORKERS, 2 * WORKERS);
    }

    @Test
    void risingLatencyWithoutRefusalsLowersNothing() {
        run(50, 500, 1);
        int before = limit.limit();
        for (double slowness = 1; slowness < 2; slowness += 0.1) {
            run(1, 500, slowness);
        }
        assertThat(limit.limit()).isGreaterThanOrEqualTo(Math.min(before, 20));
        assertThat(limit.keepsUp()).isTrue();
    }

    @Test
    void answersThatBecameMuchSlowerGetNoMoreRoom() {
        keepUp(50, 50, 0.2);
        keepUp(5, 50, 0.95);
        int before = limit.limit();
        assertThat(before).isGreaterThan(90);
        keepUp(10, 50, 1.8);
        assertThat(limit.keepsUp()).isTrue();
        assertThat(limit.limit()).isBetween(before - 1, before);
    }

    @Test
    void answersThatAlwaysTakeLongGetTwiceWhatTheyNeed() {
        keepUp(20, 20, 2);
        assertThat(limit.limit()).isBetween(80, 100);
    }

    @Test
    void aDependencyFortyTimesSlowerGetsWhatItNeeds() {
        run(50, 500, 1);
        runWaiting(30, 500, 40 * LATENCY);
        assertThat(limit.limit()).isGreaterThanOrEqualTo(200);
        assertThat(limit.keepsUp()).isTrue();
    }

    @Test
    void aDependencyFortyTimesSlowerGetsWhatItNeedsAfterAnOverloadToo() {
        run(100, 5000, 1);
        run(50, 500, 1);
        runWaiting(30, 500, 40 * LATENCY);
        assertThat(limit.limit()).isGreaterThanOrEqualTo(200);
    }

    @Test
    void aServiceThatBecameFortyTimesSlowerItselfGetsNoMoreThanItWorksOn() {
        run(50, 500, 1);
        int before = limit.limit();
        run(100, 500, 40);
        assertThat(limit.keepsUp()).isFalse();
        assertThat(limit.limit()).isLessThan(before / 2);
    }

    /** Requests wait for something that holds nobody else up: as many as are let in come out after that time. */
    private void runWaiting(int windows, double offered, double seconds) {
        for (int i = 0; i < windows; i++) {
            double inFlight = Math.min(limit.limit(), offered * seconds);
            long answered = Math.round(inFlight / seconds * 0.2);
            long refused = Math.round(offered * 0.2) - answered;
            limit.onWindow(
                    new Window(200_000_000, inFlight, (int) Math.ceil(inFlight), 0, answered, answered, refused, 1));
        }
    }

    /** Windows in which nothing is refused, of a service whose requests are of very different length. */
    private void keepUp(int windows, double offered, double seconds) {
        for (int i = 0; i < windows; i++) {
            double inFlight = offered * seconds;
            long answered = Math.round(offered * 4);
            limit.onWindow(
                    new Window(4_000_000_000L, inFlight, (int) Math.ceil(inFlight), 0, answered, answered, 0, 8));
        }
    }

    @Test
    void betterLatencyDoesNotInflateTheLimit() {
        run(50, 500, 1);
        int before = limit.limit();
        run(50, 500, 0.5);
        assertThat(limit.limit()).isLessThanOrEqualTo(before);
    }

    @Test
    void returnsToTheStartOverTimeAlone() {
        run(100, 900, 1);
        assertThat(limit.limit()).isGreaterThan(50);
        for (int i = 0; i < 60; i++) {
            limit.onWindow(new Window(5_000_000_000L, 0.001, 1, 0, 1, 1, 0, Double.NaN));
        }
        assertThat(limit.limit()).isEqualTo(AdaptiveLimitConfig.DEFAULT_INITIAL);
    }

    @Test
    void recoversAfterASpikeUnderLightLoad() {
        run(100, 5000, 1);
        run(20, 300, 1);
        assertThat(limit.keepsUp()).isTrue();
        assertThat(limit.limit()).isGreaterThanOrEqualTo(30);
    }

    @Test
    void withoutAnswersItShrinksToTheFloorAndComesBack() {
        for (int i = 0; i < 50; i++) {
            limit.onWindow(new Window(2_000_000_000L, limit.limit(), 20, 0, 20, 0, 100, Double.NaN));
        }
        assertThat(limit.limit()).isEqualTo(AdaptiveLimitConfig.DEFAULT_FLOOR);
        run(50, 900, 1);
        assertThat(limit.limit()).isGreaterThanOrEqualTo(WORKERS);
    }

    @Test
    void refusalsAreNoAnswers() {
        Window window = new Window(1_000_000_000, 10, 10, 0, 100, 100, 1_000_000, 1);
        assertThat(window.throughput()).isEqualTo(100);
        assertThat(window.latency()).isEqualTo(0.1);
        assertThat(window.offered()).isEqualTo(1_000_100);
    }

    @Test
    void atTheCeilingNothingHalves() {
        AdaptiveLimit low = new AdaptiveLimit(new AdaptiveLimitConfig(8, 4, 8), 1);
        for (int i = 0; i < 200; i++) {
            int n = low.limit();
            long answers = Math.round(n / LATENCY * 0.2);
            low.onWindow(new Window(200_000_000, n, n, 0, answers, answers, 50, 1));
        }
        assertThat(low.limit()).isEqualTo(8);
    }

    @Test
    void showsLiveNumbers() {
        run(100, 5000, 1);
        assertThat(limit).asString().contains("overloaded", "in 4..1000", "knee", "offered 5000/s");
    }

    @Test
    void boundsThatMakeNoSenseAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> new AdaptiveLimitConfig(5, 0, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> new AdaptiveLimitConfig(5, 6, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> new AdaptiveLimitConfig(11, 5, 10));
        assertThatIllegalArgumentException().isThrownBy(() -> new AdaptiveLimitConfig(5, 5, 4));
    }
}
