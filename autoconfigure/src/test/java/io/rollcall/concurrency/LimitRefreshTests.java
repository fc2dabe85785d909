package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;

import io.github.resilience4j.bulkhead.BulkheadRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.cloud.context.environment.EnvironmentChangeEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.env.MapPropertySource;

/** Limits that change while requests are in flight. */
@ExtendWith(OutputCaptureExtension.class)
class LimitRefreshTests {

    private static final String LIMIT = "rollcall.max-concurrency";

    private static final String GROUP = "rollcall.concurrency.groups.reports.max-concurrency";

    private final WebApplicationContextRunner runner = new WebApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(
                    ConcurrencyAutoConfiguration.class, ServletConcurrencyAutoConfiguration.class))
            .withPropertyValues(
                    LIMIT + "=2",
                    GROUP + "=3",
                    "rollcall.concurrency.groups.reports.paths=/reports",
                    "rollcall.concurrency.floor=1");

    private static void refresh(ConfigurableApplicationContext context, Map<String, Object> changed) {
        context.getEnvironment().getPropertySources().remove("refreshed");
        context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("refreshed", changed));
        context.publishEvent(new EnvironmentChangeEvent(context, Set.of()));
    }

    private static Gate common(ConfigurableApplicationContext context) {
        return context.getBean(Admission.class).requestGates().get(0);
    }

    /** Takes all permits that there are. */
    private static List<Permit> fill(Gate gate) {
        List<Permit> permits = new ArrayList<>();
        Stream.generate(gate::tryEnter).takeWhile(permit -> permit != null).forEach(permits::add);
        return permits;
    }

    @Test
    void aHigherLimitAdmitsMoreBesideWhatIsInFlight() {
        runner.run(context -> {
            Gate gate = common(context);
            List<Permit> before = fill(gate);

            refresh(context, Map.of(LIMIT, "5"));

            assertThat(before).hasSize(2);
            assertThat(gate.limiter().limit()).isEqualTo(5);
            assertThat(fill(gate)).hasSize(3);
            assertThat(gate.limiter().inFlight()).isEqualTo(5);
            before.forEach(Permit::release);
            assertThat(fill(gate)).hasSize(2);
        });
    }

    @Test
    void aLowerLimitAdmitsNobodyUntilEnoughHaveEndedAndNeverWaits() {
        runner.run(context -> {
            Gate gate = common(context);
            List<Permit> before = fill(gate);

            refresh(context, Map.of(LIMIT, "1"));

            assertThat(gate.tryEnter()).isNull();
            before.get(0).release();
            assertThat(gate.tryEnter()).isNull();
            before.get(1).release();
            assertThat(gate.limiter().inFlight()).isZero();
            assertThat(fill(gate)).hasSize(1);
        });
    }

    @Test
    void permitsOutliveManyChangesAndAreGivenBackWhereTheyWereTaken() {
        runner.run(context -> {
            Gate gate = common(context);
            List<Permit> held = new ArrayList<>();
            for (int limit = 3; limit < 40; limit++) {
                held.add(gate.tryEnter());
                refresh(context, Map.of(LIMIT, Integer.toString(limit)));
            }

            assertThat(held).doesNotContainNull().hasSize(37);
            assertThat(gate.limiter().inFlight()).isEqualTo(37);
            held.forEach(Permit::release);
            assertThat(gate.limiter().inFlight()).isZero();
        });
    }

    @Test
    void aNumberBecomesALimitThatLearnsAndTheOtherWayRound() {
        runner.run(context -> {
            Gate gate = common(context);

            refresh(context, Map.of(LIMIT, "auto"));
            assertThat(gate.limiter().learns()).isTrue();

            refresh(context, Map.of(LIMIT, "4"));
            assertThat(gate.limiter().learns()).isFalse();
            assertThat(context.getBean(BulkheadRegistry.class)
                            .bulkhead("rollcall")
                            .getBulkheadConfig()
                            .getMaxConcurrentCalls())
                    .isEqualTo(4);
        });
    }

    @Test
    void changesOnlyTheLimitThatChanged() {
        runner.run(context -> {
            Gate group = context.getBean(Admission.class).requestGates().get(1);
            ConcurrencyLimiter common = common(context).limiter();

            refresh(context, Map.of(GROUP, "7"));

            assertThat(group.limiter().limit()).isEqualTo(7);
            assertThat(common(context).limiter()).isSameAs(common);
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "many"})
    void anInvalidLimitIsReportedAndTheOldOnesStay(String invalid, CapturedOutput output) {
        runner.run(context -> {
            refresh(context, Map.of(LIMIT, invalid, GROUP, "9"));

            assertThat(common(context).limiter().limit()).isEqualTo(2);
            assertThat(context.getBean(Admission.class)
                            .requestGates()
                            .get(1)
                            .limiter()
                            .limit())
                    .isEqualTo(3);
            assertThat(output).contains("ERROR", LIMIT, invalid);
        });
    }

    @Test
    void isThereOnlyWithSpringCloudsContext() {
        runner.withClassLoader(new FilteredClassLoader(EnvironmentChangeEvent.class))
                .run(context ->
                        assertThat(context).hasSingleBean(Admission.class).doesNotHaveBean(LimitRefresh.class));
    }
}
