package io.rollcall.registry;

/**
 * Puts instances of this application into one registry and takes them out again.
 *
 * <p>An implementation is a few lines around a client library. It need not retry, schedule, time out or be thread-safe: Rollcall
 * calls it from one thread of its own at a time, interrupts a call that takes longer than the registry's {@code timeout}, and calls
 * {@link #join} again at every interval and after every failure.
 */
public interface Registrar {

    /**
     * Makes the registry list the instance as it is now, whatever the registry knew before: called first to register, then at
     * every interval to renew, and with changed metadata to update. Repeating it must be harmless, and it must put back an entry that
     * has vanished. A record of a dead predecessor with the same id is replaced.
     *
     * @param instance what to list
     * @throws RefusedException if the registry refuses this instance as such, so that soon trying again would not help
     * @throws Exception if it is not known to be listed now; it is tried again
     */
    void join(Instance instance) throws Exception;

    /**
     * Makes the registry forget the instance, unless another process has registered it anew since. When this has returned, no earlier
     * {@link #join} that is still under way may write the entry again. Removing what is not there is no error.
     *
     * @param instance what to remove
     * @throws Exception if it may still be listed; it is tried again
     */
    void leave(Instance instance) throws Exception;

    /**
     * Says whether this registry can hold a service of that name; asked once, at start.
     *
     * @param service the name to check
     * @throws IllegalArgumentException if it can not, with the reason as its message
     */
    default void checkServiceName(String service) {}
}
