package io.rollcall.concurrency.adaptive;

import io.github.resilience4j.bulkhead.Bulkhead;
import io.github.resilience4j.bulkhead.BulkheadConfig;
import io.github.resilience4j.bulkhead.BulkheadFullException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A resilience4j bulkhead whose limit follows what the service can do, see {@link AdaptiveLimit}.
 *
 * <p>Permits are counted in one atomic word: never are more out than the limit allows at the moment of admission, nobody
 * ever waits, and a lower limit takes effect at once by admitting nobody until enough were returned. A window of
 * measurement is ended by whichever request comes or goes after its time; no thread is needed, and after a pause the first
 * request settles what the pause means. Acquiring and releasing allocate nothing. Thread-safe.
 *
 * <p>The pair {@link #tryAcquire()} and {@link #release(long, Completion)} is for callers that know how a request ended and
 * keep the number in between. The methods of {@link Bulkhead} work as well: {@link #onComplete()} counts as an answer,
 * {@link #releasePermission()} as a call that never was. Since latency comes from Little's law, they need no start time;
 * only the variation of the latency is not learnt from them.
 */
public final class AdaptiveBulkhead implements Bulkhead {

    /** What {@link #tryAcquire()} returns if there is no permit. */
    public static final long REFUSED = -1;

    private static final long ONE_RELEASED = 1L << 32;

    /** Under these conditions the first refusals are looked at before the window is over. */
    private static final long EARLY_NANOS = 100_000_000;

    private static final int EARLY_RELEASED = 50;

    /** With fewer answers than this a window waits for more, up to three times its length or two seconds. */
    private static final int FEW_RELEASED = 10;

    private static final long PATIENT_NANOS = 2_000_000_000;

    private final String name;
    private final LongSupplier nanoClock;
    private final long origin;
    private final AdaptiveLimit algorithm;
    private final WindowMeter meter = new WindowMeter();
    private final AdaptiveBulkheadEvents events;
    private final Map<String, String> tags;

    /** Released so far in the upper half, in flight in the lower. */
    private final AtomicLong state = new AtomicLong();

    private final AtomicBoolean measuring = new AtomicBoolean();
    private volatile long windowNanos;
    private volatile boolean keepsUp = true;
    private volatile int limit;
    private volatile BulkheadConfig config;

    /**
     * Creates a bulkhead that reads the system's nano clock.
     *
     * @param name   for events and metrics
     * @param config bounds of the limit
     */
    public AdaptiveBulkhead(String name, AdaptiveLimitConfig config) {
        this(
                name,
                config,
                Map.of(),
                System::nanoTime,
                ThreadLocalRandom.current().nextLong());
    }

    /**
     * Creates a bulkhead.
     *
     * @param name      for events and metrics
     * @param config    bounds of the limit
     * @param tags      for metrics
     * @param nanoClock the time in nanoseconds from any origin, never going back
     * @param seed      of the random times between looks above and below the limit
     */
    public AdaptiveBulkhead(
            String name, AdaptiveLimitConfig config, Map<String, String> tags, LongSupplier nanoClock, long seed) {
        this.name = name;
        this.tags = Map.copyOf(tags);
        this.nanoClock = nanoClock;
        origin = nanoClock.getAsLong();
        algorithm = new AdaptiveLimit(config, seed);
        limit = algorithm.limit();
        windowNanos = algorithm.windowNanos();
        events = new AdaptiveBulkheadEvents(name);
        this.config = BulkheadConfig.custom()
                .maxConcurrentCalls(config.ceiling())
                .maxWaitDuration(Duration.ZERO)
                .writableStackTraceEnabled(false)
                .build();
    }

    /**
     * Takes a permit, at once or not at all.
     *
     * @return a number to be given to {@link #release(long, Completion)}, or {@link #REFUSED}
     */
    public long tryAcquire() {
        long now = now();
        long seen = state.get();
        while ((int) seen < limit) {
            if (state.weakCompareAndSetVolatile(seen, seen + 1)) {
                meter.admitted(now, (int) seen + 1);
                events.permitted();
                return now;
            }
            seen = state.get();
        }
        meter.refused();
        endWindowIfDue(now);
        events.rejected();
        return REFUSED;
    }

    /**
     * Returns a permit. Must be called exactly once per permit; a call too many never makes room for more than the limit,
     * but may hide a request that is still running.
     *
     * @param acquired   what {@link #tryAcquire()} returned, not {@link #REFUSED}
     * @param completion how the request ended
     */
    public void release(long acquired, Completion completion) {
        long now = now();
        release(now, Math.max(1, now - acquired), completion);
    }

    /**
     * Returns a permit of which the caller knows itself how long it took.
     *
     * @param completion   how the request ended
     * @param latencyNanos how long the service worked on it; 0 if unknown
     */
    public void release(Completion completion, long latencyNanos) {
        release(now(), latencyNanos, completion);
    }

    private void release(long now, long latencyNanos, Completion completion) {
        long seen = state.get();
        while ((int) seen > 0 && !state.weakCompareAndSetVolatile(seen, seen + ONE_RELEASED - 1)) {
            seen = state.get();
        }
        if ((int) seen == 0) {
            return;
        }
        meter.released(now);
        if (completion != Completion.SUCCESS) {
            meter.unanswered();
        } else if (latencyNanos > 0) {
            meter.answered((int) (seen >>> 32), latencyNanos);
        }
        endWindowIfDue(now);
        events.finished();
    }

    private void endWindowIfDue(long now) {
        long elapsed = now - meter.start();
        if (elapsed < EARLY_NANOS || !measuring.compareAndSet(false, true)) {
            return;
        }
        int before;
        int after;
        try {
            before = limit;
            if (isDue(now)) {
                endWindow(now);
            }
            after = limit;
        } finally {
            measuring.set(false);
        }
        if (before != after) {
            events.changed(before, after, !keepsUp);
        }
    }

    private boolean isDue(long now) {
        long elapsed = now - meter.start();
        int released = meter.releasedSinceStart((int) (state.get() >>> 32));
        if (elapsed >= windowNanos) {
            return released >= FEW_RELEASED || elapsed >= Math.max(PATIENT_NANOS, 3 * windowNanos);
        }
        return keepsUp && elapsed >= EARLY_NANOS && released >= EARLY_RELEASED && meter.anyRefused();
    }

    private void endWindow(long now) {
        long seen = state.get();
        Window window = meter.end(now, (int) seen, (int) (seen >>> 32));
        algorithm.onWindow(window);
        windowNanos = algorithm.windowNanos();
        keepsUp = algorithm.keepsUp();
        limit = Math.min(algorithm.limit(), config.getMaxConcurrentCalls());
    }

    /** Permits that are out. */
    public int inFlight() {
        return (int) state.get();
    }

    /** The limit as of now. */
    public int limit() {
        return limit;
    }

    /**
     * Adds a listener to changes of the limit. It is called on the thread of a request and must be quick.
     *
     * @param listener called after each change
     */
    public void onLimitChange(Consumer<LimitChange> listener) {
        events.onLimitChange(listener);
    }

    @Override
    public boolean tryAcquirePermission() {
        return tryAcquire() != REFUSED;
    }

    /** Takes a permit or fails at once with {@link BulkheadFullException}. */
    @Override
    public void acquirePermission() {
        if (tryAcquire() == REFUSED) {
            throw BulkheadFullException.createBulkheadFullException(this);
        }
    }

    /** Returns the permit of a call that was not made. */
    @Override
    public void releasePermission() {
        release(now(), 0, Completion.IGNORED);
    }

    /** Returns the permit of a call that was answered. */
    @Override
    public void onComplete() {
        release(now(), 0, Completion.SUCCESS);
    }

    /** Takes the number of calls as a further upper bound. Never waits; the other settings are of no effect. */
    @Override
    public void changeConfig(BulkheadConfig newConfig) {
        config = BulkheadConfig.from(newConfig).maxWaitDuration(Duration.ZERO).build();
        limit = Math.min(limit, newConfig.getMaxConcurrentCalls());
    }

    @Override
    public String getName() {
        return name;
    }

    /** The ceiling as the number of calls, and no waiting. */
    @Override
    public BulkheadConfig getBulkheadConfig() {
        return config;
    }

    @Override
    public Metrics getMetrics() {
        return new Metrics() {
            @Override
            public int getAvailableConcurrentCalls() {
                return Math.max(0, limit() - inFlight());
            }

            @Override
            public int getMaxAllowedConcurrentCalls() {
                return limit();
            }
        };
    }

    @Override
    public Map<String, String> getTags() {
        return tags;
    }

    @Override
    public EventPublisher getEventPublisher() {
        return events;
    }

    private long now() {
        return nanoClock.getAsLong() - origin;
    }

    @Override
    public String toString() {
        return name + " " + inFlight() + "/" + limit() + " in flight, " + algorithm;
    }
}
