package io.rollcall.concurrency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.github.resilience4j.bulkhead.BulkheadRegistry;
import io.rollcall.concurrency.Load.Answer;
import io.rollcall.concurrency.adaptive.AdaptiveBulkhead;
import io.rollcall.concurrency.adaptive.AdaptiveLimitConfig;
import io.rollcall.concurrency.adaptive.LimitChange;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The limit that is measured, on a real server under several times what it can do. The application answers {@code /free}
 * after {@link #WORK_MILLIS}, {@code /narrow} likewise but only {@link #SLOTS} at once, and {@code /open/...} at once.
 * Nothing here depends on how fast the machine is.
 */
@Tag("resilience")
abstract class AdaptiveOverloadContract {

    static final int SLOTS = 4;
    static final int WORK_MILLIS = 50;

    private static final int FLOOR = 10;
    private static final int CEILING = 40;

    /** Where the limit starts, and what it comes back to; a good deal less is down. */
    private static final int UP = AdaptiveLimitConfig.DEFAULT_INITIAL;

    private static final int DOWN = 3 * UP / 4;

    /** Half the floor, since a permit comes back a moment after its answer was sent. */
    private static final int FEW = FLOOR / 2;

    /** Nearly four times what the slots can do. */
    private static final int TOO_MANY_PER_SECOND = 300;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<LimitChange> changes = new CopyOnWriteArrayList<>();

    private TestApplication application;
    private AdaptiveBulkhead bulkhead;

    abstract TestApplication start(String... properties);

    @BeforeEach
    void start() {
        application = start(
                "rollcall.max-concurrency=auto",
                "rollcall.concurrency.floor=" + FLOOR,
                "rollcall.concurrency.ceiling=" + CEILING,
                "rollcall.concurrency.exempt-paths=/open/**");
        bulkhead = (AdaptiveBulkhead)
                application.context().getBean(BulkheadRegistry.class).bulkhead("rollcall");
        bulkhead.onLimitChange(changes::add);
    }

    @AfterEach
    void stop() {
        application.close();
    }

    @Test
    void refusesWhatTheServerCannotDoAndNothingElse() {
        Load exempt = Load.openLoop(uri("/open/any"), 20);
        Load actuator = Load.openLoop(uri("/actuator/health"), 20);

        List<Answer> before = fewCallersWhileTheLimitIsBelow(UP);
        assertThat(before).isNotEmpty().filteredOn(answer -> !answer.served()).isEmpty();

        Load tooMany = Load.openLoop(uri("/narrow"), TOO_MANY_PER_SECOND);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(tooMany.has(500)).isTrue();
            assertThat(bulkhead.limit()).as(bulkhead::toString).isLessThanOrEqualTo(DOWN);
        });
        List<Answer> during = tooMany.stop();
        await().until(() -> bulkhead.inFlight() == 0);
        assertThat(during)
                .filteredOn(answer -> !answer.served() && !answer.refused())
                .isEmpty();
        List<Answer> served = during.stream().filter(Answer::served).toList();
        List<Answer> refused = during.stream().filter(Answer::refused).toList();
        assertThat(served).hasSizeGreaterThan(FLOOR);
        assertThat(refused).hasSizeGreaterThan(served.size());
        assertThat(Answer.medianNanos(refused)).isLessThan(Answer.medianNanos(served));

        List<Answer> after = fewCallersWhileTheLimitIsBelow(UP);
        assertThat(after).isNotEmpty().filteredOn(answer -> !answer.served()).isEmpty();

        assertThat(exempt.stop())
                .isNotEmpty()
                .filteredOn(answer -> !answer.served())
                .isEmpty();
        assertThat(actuator.stop())
                .isNotEmpty()
                .filteredOn(answer -> !answer.served())
                .isEmpty();
        assertThat(changes).extracting(LimitChange::to).allMatch(limit -> limit >= FLOOR && limit <= CEILING);
        await().until(() -> application.inFlight() == 0);
    }

    private List<Answer> fewCallersWhileTheLimitIsBelow(int limit) {
        Load few = Load.callers(uri("/free"), FEW);
        await().atMost(PATIENCE).untilAsserted(() -> {
            assertThat(few.has(20 * FEW)).isTrue();
            assertThat(bulkhead.limit()).as(bulkhead::toString).isGreaterThanOrEqualTo(limit);
        });
        return few.stop();
    }

    private URI uri(String path) {
        return URI.create("http://127.0.0.1:" + application.port() + path);
    }
}
