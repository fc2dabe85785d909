package io.rollcall.registration;

import java.time.Duration;

/** Told of every call that registers or removes an instance, from the registry's thread. Must return quickly and not throw. */
@FunctionalInterface
public interface CallObserver {

    /** Tells nobody. */
    CallObserver NONE = (registry, operation, took, succeeded) -> {};

    /**
     * A call has ended.
     *
     * @param registry the registry's name
     * @param operation {@code join} or {@code leave}
     * @param took how long it took
     * @param succeeded whether the registry confirmed it
     */
    void called(String registry, String operation, Duration took, boolean succeeded);
}
