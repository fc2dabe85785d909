package io.rollcall.concurrency;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A limit that learns, and admits all. */
final class Recorder implements ConcurrencyLimiter {

    final List<String> samples = new CopyOnWriteArrayList<>();

    @Override
    public int limit() {
        return Integer.MAX_VALUE;
    }

    @Override
    public int inFlight() {
        return 0;
    }

    @Override
    public boolean tryAcquire() {
        return true;
    }

    @Override
    public boolean learns() {
        return true;
    }

    @Override
    public void release() {
        samples.add("none");
    }

    @Override
    public void release(long startNanos, long workNanos, Outcome outcome) {
        samples.add(workNanos + " " + outcome);
    }
}
