package io.rollcall.concurrency.adaptive.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.rollcall.concurrency.adaptive.AdaptiveLimitConfig;
import io.rollcall.concurrency.adaptive.simulation.Comparison.Figures;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What the limit achieves on simulated servers beside what is possible at all, several seeds each. Virtual time: the
 * figures are the same everywhere. The complete table is {@link ComparisonTable}'s.
 */
class GoalsTests {

    private static final AdaptiveLimitConfig DEFAULTS = AdaptiveLimitConfig.defaults();

    private static final List<Trace.Site> SITES = List.of(Trace.CPU, Trace.POOL, Trace.MIXED, Trace.CROWDED);

    private final Comparison comparison = new Comparison(1, 2);

    static Stream<Trace> overload() {
        return SITES.stream().flatMap(site -> Stream.of(Trace.steady(site, 2), Trace.steady(site, 5)));
    }

    @ParameterizedTest
    @MethodSource("overload")
    void overloadCostsLittleThroughputAndLatency(Trace trace) {
        Figures figures = figures(trace);
        assertThat(figures.goodput()).isGreaterThan(0.95);
        assertThat(figures.p99()).isLessThan(2);
    }

    static Stream<Trace> slightOverload() {
        return SITES.stream().map(site -> Trace.steady(site, 1.2));
    }

    @ParameterizedTest
    @MethodSource("slightOverload")
    void slightOverloadCostsLittleThroughputAndLatency(Trace trace) {
        Figures figures = figures(trace);
        // Crowded processors lose some of what is possible even at the best constant limit.
        assertThat(figures.goodput()).isGreaterThan(trace.site() == Trace.CROWDED ? 0.87 : 0.92);
        assertThat(figures.p99()).isLessThan(4.5);
    }

    static Stream<Trace> enoughCapacity() {
        return Stream.of(Trace.CPU, Trace.POOL, Trace.MIXED, Trace.LARGE, Trace.WAITING, Trace.EVEN)
                .flatMap(site -> Stream.of(Trace.steady(site, 0.5), Trace.steady(site, 0.9)));
    }

    @ParameterizedTest
    @MethodSource("enoughCapacity")
    void whoKeepsUpRefusesNothing(Trace trace) {
        assertThat(figures(trace).refused()).isLessThan(0.001);
    }

    static Stream<Trace> crowds() {
        return Stream.of(Trace.bursts(Trace.CROWDED, 0.5), Trace.noise(Trace.CROWDED, 0.8));
    }

    /** More than these processors work on makes them so slow that it stays. */
    @ParameterizedTest
    @MethodSource("crowds")
    void aCrowdThatDidHarmDoesNotComeBackForLong(Trace trace) {
        Figures figures = figures(trace);
        assertThat(figures.goodput()).isGreaterThan(0.93);
        assertThat(figures.p99()).isLessThan(10);
    }

    static Stream<Trace> slowDependency() {
        return Stream.of(Trace.CPU, Trace.POOL, Trace.MIXED, Trace.WAITING)
                .flatMap(site -> Stream.of(Trace.slowDependency(site, 0.5), Trace.slowDependency(site, 0.9)));
    }

    @ParameterizedTest
    @MethodSource("slowDependency")
    void aSlowDependencyIsNoReasonToRefuse(Trace trace) {
        assertThat(figures(trace).refused()).isLessThan(0.01);
    }

    static Stream<Trace> verySlowDependency() {
        return Stream.of(Trace.CPU, Trace.POOL, Trace.MIXED, Trace.WAITING, Trace.EVEN)
                .flatMap(site -> Stream.of(10, 20)
                        .flatMap(times -> Stream.of(
                                Trace.slowDependency(site, 0.5, times),
                                Trace.slowDependency(site, 0.7, times),
                                Trace.slowDependencyAfterOverload(site, 0.5, times))));
    }

    @ParameterizedTest
    @MethodSource("verySlowDependency")
    void aVerySlowDependencyIsNoReasonToRefuseEither(Trace trace) {
        assertThat(figures(trace).refused()).isLessThan(0.05);
    }

    static Stream<Trace> disturbed() {
        return SITES.stream()
                .flatMap(site -> Stream.of(
                        Trace.halved(site, 0.9),
                        Trace.halved(site, 2),
                        Trace.bursts(site, 0.9),
                        Trace.noise(site, 1.5),
                        Trace.pauses(site, 2)));
    }

    @ParameterizedTest
    @MethodSource("disturbed")
    void disturbancesCostLittle(Trace trace) {
        assertThat(figures(trace).goodput()).isGreaterThan(trace.site() == Trace.CROWDED ? 0.8 : 0.88);
    }

    static Stream<Trace> coldStart() {
        return Stream.of(Trace.CPU, Trace.POOL, Trace.MIXED, Trace.LARGE, Trace.CROWDED, Trace.EVEN)
                .flatMap(site -> Stream.of(Trace.coldStart(site, 0.9), Trace.coldStart(site, 5)));
    }

    @ParameterizedTest
    @MethodSource("coldStart")
    void aColdStartIsSurvived(Trace trace) {
        assertThat(figures(trace).goodput()).isGreaterThan(0.8);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 20, 1000})
    void theStartLimitIsForgotten(int initial) {
        Trace trace = Trace.steady(Trace.CPU, 2);
        Figures figures = comparison.rollcall(trace, DEFAULTS.withInitial(initial), trace.possible());
        assertThat(figures.goodput()).isGreaterThan(0.95);
        assertThat(figures.p99()).isLessThan(2);
    }

    @Test
    void anInstantEndpointIsLeftAlone() {
        Figures figures = figures(Trace.steady(Trace.INSTANT, 0.25));
        assertThat(figures.refused()).isLessThan(0.0001);
    }

    @Test
    void timeOutsDoNotRaiseTheLimit() {
        Outcomes outcomes = Simulation.run(Trace.timeOuts(Trace.RARE, 2), Limiter.rollcall(DEFAULTS, 1), 1);
        assertThat(outcomes.highestLimit()).isLessThanOrEqualTo(DEFAULTS.initial());
        assertThat(outcomes.lowestLimit()).isEqualTo(DEFAULTS.floor());
    }

    @Test
    void floorAndCeilingAreKept() {
        AdaptiveLimitConfig narrow = new AdaptiveLimitConfig(20, 15, 25);
        for (Trace trace : List.of(Trace.halved(Trace.SMALL, 5), Trace.slowDependency(Trace.LARGE, 0.9))) {
            Outcomes outcomes = Simulation.run(trace, Limiter.rollcall(narrow, 1), 1);
            assertThat(outcomes.lowestLimit()).isGreaterThanOrEqualTo(15);
            assertThat(outcomes.highestLimit()).isLessThanOrEqualTo(25);
        }
    }

    @Test
    void theSameSeedGivesTheSameFigures() {
        Trace trace = Trace.bursts(Trace.MIXED, 0.9);
        long first = Simulation.run(trace, Limiter.rollcall(DEFAULTS, 7), 7).inTime();
        assertThat(Simulation.run(trace, Limiter.rollcall(DEFAULTS, 7), 7).inTime())
                .isEqualTo(first);
    }

    private Figures figures(Trace trace) {
        return comparison.rollcall(trace, DEFAULTS, trace.possible());
    }
}
