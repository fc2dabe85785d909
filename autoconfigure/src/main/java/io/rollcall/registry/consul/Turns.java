package io.rollcall.registry.consul;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Executor;

/**
 * Lets only so many blocking queries wait at the agent at a time: it limits the connections of each client's address, to 200 unless told
 * otherwise, and then refuses renewals too, which other processes on the host make as well. With more watches than places, each waits for
 * a short time and then for its next turn. Thread-safe.
 */
final class Turns {

    private static final int PLACES = 50;

    private static final Duration LONG = Duration.ofSeconds(55);

    /** For a watch's first query too, lest those that come first keep their places for long while many more come. */
    static final Duration SHORT = Duration.ofSeconds(2);

    private final Executor executor;

    private final Deque<Runnable> waiting = new ArrayDeque<>();

    private int watches;

    private int taken;

    /** @param executor does what has got its turn */
    Turns(Executor executor) {
        this.executor = executor;
    }

    /** There is one more watch. */
    synchronized void enter() {
        watches++;
    }

    /** There is one watch less. */
    synchronized void exit() {
        watches--;
    }

    /** How long a query is to wait at the agent. */
    synchronized Duration patience() {
        return watches > PLACES ? SHORT : LONG;
    }

    /** Has something done as soon as there is a place, which {@link #release} gives back. */
    synchronized void take(Runnable query) {
        if (taken < PLACES) {
            taken++;
            executor.execute(query);
        } else {
            waiting.add(query);
        }
    }

    /** Gives a place to who has waited longest. */
    synchronized void release() {
        Runnable next = waiting.poll();
        if (next == null) {
            taken--;
        } else {
            executor.execute(next);
        }
    }
}
