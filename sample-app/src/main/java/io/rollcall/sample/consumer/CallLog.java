package io.rollcall.sample.consumer;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Profile;
import org.springframework.stereotype.Component;

/** The latest calls, the newest last. Thread-safe. */
@Component
@Profile("consumer")
class CallLog {

    private static final int KEPT = 1000;

    private final Deque<Call> calls = new ArrayDeque<>();

    private long number;

    synchronized void add(@Nullable String instance, Duration took, @Nullable String error) {
        calls.addLast(new Call(++number, Instant.now(), instance, took.toMillis(), error));
        if (calls.size() > KEPT) {
            calls.removeFirst();
        }
    }

    /** The calls after the one of that number. */
    synchronized List<Call> after(long known) {
        return calls.stream().filter(call -> call.number() > known).toList();
    }
}
