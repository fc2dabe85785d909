package io.rollcall.sample.consumer;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One call that was made.
 *
 * @param number counts up from 1
 * @param at when it ended
 * @param instance who answered, or null if nobody did
 * @param millis how long it took
 * @param error why it failed, or null if it did not
 */
record Call(
        long number,
        Instant at,
        @Nullable String instance,
        long millis,
        @Nullable String error) {}
