package io.rollcall.registration;

/**
 * Whether the application is about to stop: it is leaving the registries, or has left them, and goes on serving. Thread-safe.
 */
final class Draining {

    private volatile boolean active;

    boolean isActive() {
        return active;
    }

    void begin() {
        active = true;
    }

    /** Its context, which was stopped, is started again. */
    void end() {
        active = false;
    }
}
