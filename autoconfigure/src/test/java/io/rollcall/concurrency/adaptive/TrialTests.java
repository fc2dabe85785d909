package io.rollcall.concurrency.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Windows fed by hand: 50 in flight brought 500 answers per second before. */
class TrialTests {

    private final Trial trial = new Trial();

    @BeforeEach
    void begin() {
        trial.begin(window(50, 100, 10), false);
    }

    private static Window window(double inFlight, long answered, long refused) {
        return new Window(200_000_000, inFlight, (int) inFlight, 0, answered, answered, refused, 1);
    }

    private void add(int windows, double inFlight, long answered) {
        for (int i = 0; i < windows && trial.verdict() == Trial.Verdict.OPEN; i++) {
            trial.add(window(inFlight, answered, 10), 1);
        }
    }

    @Test
    void isOpenInTheBeginning() {
        assertThat(trial.running()).isTrue();
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.OPEN);
    }

    @Test
    void twiceTheAnswersFromTwiceAsManyHaveFollowed() {
        add(3, 100, 200);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.FOLLOWED);
    }

    @Test
    void theSameAnswersFromTwiceAsManyHaveNot() {
        add(3, 100, 100);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.FLAT);
    }

    @Test
    void halfTheAnswersFromHalfAsManyHaveFollowedDown() {
        trial.begin(window(50, 100, 10), true);
        add(5, 25, 50);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.FOLLOWED);
    }

    @Test
    void theSameAnswersFromHalfAsManyHaveNotFollowedDown() {
        trial.begin(window(50, 100, 10), true);
        add(5, 25, 100);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.FLAT);
    }

    @Test
    void aQueueThatGoesSaysNothingAboutARaise() {
        add(5, 25, 100);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.OPEN);
    }

    @Test
    void nothingIsHeldAgainstARaiseBeforeItsRequestsCanHaveCome() {
        trial.begin(window(500, 100, 10), false);
        add(4, 1000, 100);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.OPEN);
    }

    @Test
    void asManyInFlightAsBeforeTellNothingUntilTimeIsUp() {
        add(6, 50, 100);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.OPEN);
        add(1, 50, 100);
        assertThat(trial.outdated()).isTrue();
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.FLAT);
    }

    @Test
    void whoKeepsUpHasNothingToFollow() {
        for (int i = 0; i < 5; i++) {
            trial.add(window(100, 100, 0), 1);
        }
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.OPEN);
    }

    @Test
    void answersWhileThoseBeyondTheLimitLeaveSayNothing() {
        trial.begin(window(50, 100, 10), true);
        for (int i = 0; i < 50; i++) {
            trial.add(new Window(200_000_000, 40, 45, -5, 10, 10, 90, 1), 1);
        }
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.OPEN);
        add(5, 25, 100);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.FLAT);
    }

    @Test
    void farFewerAnswersFromMoreInFlightAreWorse() {
        add(3, 100, 50);
        assertThat(trial.verdict()).isEqualTo(Trial.Verdict.FLAT);
        assertThat(trial.madeWorse(500, 1)).isTrue();
    }

    @Test
    void fewerAnswersByChanceAreNotWorse() {
        add(3, 100, 50);
        assertThat(trial.madeWorse(500, 20)).isFalse();
    }

    @Test
    void answersThatWereFewBeforeAreNotWorse() {
        add(3, 100, 100);
        assertThat(trial.madeWorse(5000, 1)).isFalse();
    }

    @Test
    void fewerAnswersFromFewerInFlightAreNotWorse() {
        trial.begin(window(50, 100, 10), true);
        add(5, 25, 50);
        assertThat(trial.madeWorse(500, 1)).isFalse();
    }
}
