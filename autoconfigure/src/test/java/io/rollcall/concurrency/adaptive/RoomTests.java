package io.rollcall.concurrency.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** 500 requests per second come, each of 10 ms, so that 5 are needed at a time. */
class RoomTests {

    private static final int INITIAL = 20;

    private final Room room = new Room(INITIAL);

    private double limit = INITIAL;

    private void seconds(int seconds, int inFlight) {
        for (int i = 0; i < seconds; i++) {
            Window window = new Window(1_000_000_000, inFlight, inFlight, 0, 500, 500, 0, 1);
            room.add(window);
            limit = room.next(limit, window, 500, 0.01, 1);
        }
    }

    @Test
    void isTenTimesWhatTheLoadNeeds() {
        seconds(10, 5);
        assertThat(limit).isEqualTo(50);
    }

    @Test
    void neverAdmitsACrowdAgainThatDidHarm() {
        seconds(10, 5);
        room.crowded(60);
        seconds(1, 5);
        assertThat(limit).isEqualTo(30);
        assertThat(room.admitsCrowd(limit)).isTrue();
        assertThat(room.admitsCrowd(20)).isFalse();
    }

    @Test
    void admitsWhatTheLoadNeedsHoweverSmallTheCrowdWas() {
        room.crowded(8);
        seconds(10, 5);
        assertThat(limit).isEqualTo(10);
    }

    @Test
    void forgetsTheCrowdOfAServiceThatIsNoMore() {
        room.crowded(60);
        seconds(10, 5);
        room.forget();
        seconds(10, 5);
        assertThat(limit).isEqualTo(50);
    }
}
