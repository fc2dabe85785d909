package io.rollcall.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LineTests {

    private final Line line = new Line();

    private List<String> takeAll() {
        List<String> taken = new ArrayList<>();
        while (!line.isEmpty()) {
            taken.add(line.take());
        }
        return taken;
    }

    @Test
    void bothKindsTakeTurns() {
        line.addAll(List.of("a", "b", "c", "d"));
        line.add("new");
        line.add("changed");

        assertThat(takeAll()).containsExactly("new", "a", "changed", "b", "c", "d");
    }

    @Test
    void whatChangesAllTheTimeDoesNotKeepOthersFromTheirTurn() {
        line.addAll(List.of("a", "b"));
        List<String> taken = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            line.add("changing");
            taken.add(line.take());
        }

        assertThat(taken).containsExactly("changing", "a", "changing", "b");
    }

    @Test
    void eachIsThereOnce() {
        line.addAll(List.of("a", "b"));
        line.add("b");
        line.add("b");
        line.addAll(List.of("a", "b"));

        assertThat(takeAll()).containsExactly("b", "a");
    }

    @Test
    void whatIsForgottenIsNotRead() {
        line.addAll(List.of("a", "b"));
        line.add("c");
        line.add("d");
        line.remove("a");
        line.remove("c");

        assertThat(takeAll()).containsExactly("d", "b");
    }
}
