package io.rollcall.discovery;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;

/** When a registry is asked for the services' names. Fields are of the registry's thread only, methods are thread-safe. */
final class NamesReading {

    /** As long as that, the names are not read again just because somebody asks for them. */
    private static final long FRESH = Duration.ofSeconds(1).toNanos();

    private final AtomicBoolean planned = new AtomicBoolean();

    private volatile long lastRead = System.nanoTime() - 2 * FRESH;

    boolean wanted;

    /** How often in a row it has failed. */
    int failures;

    /** Whether that was logged. */
    boolean told;

    /** Whether somebody who asks for the names now has to have them read; says so to the first only. */
    boolean plan() {
        return System.nanoTime() - lastRead > FRESH && planned.compareAndSet(false, true);
    }

    void succeeded() {
        wanted = false;
        failures = 0;
        told = false;
        lastRead = System.nanoTime();
        planned.set(false);
    }

    /** It is planned to be read again by whoever notes this. */
    void failed() {
        wanted = false;
        failures++;
        planned.set(true);
    }
}
