package io.rollcall.registry;

import java.util.Set;

/**
 * Finds the instances of services in one registry.
 *
 * <p>As with {@link Registrar}, it need not retry, schedule or time out: all methods are called from one thread of Rollcall's own at a
 * time, and interrupted when they take longer than the registry's {@code timeout}.
 */
public interface Resolver {

    /**
     * Reads the full list of a service's instances from the registry.
     *
     * @param service the service's name
     * @return what the registry holds now; a record that can not be understood is reported in it, and hides no other
     * @throws Exception if the registry did not answer; the last good list stays in use
     */
    Listing lookup(String service) throws Exception;

    /**
     * Reads the names of all services that have an instance.
     *
     * @throws Exception if the registry did not answer
     */
    Set<String> services() throws Exception;

    /**
     * Begins to watch a service. The listener may be called from any thread and returns at once.
     *
     * @param service the service's name
     * @param listener what to tell
     * @return ends the watch when closed; closing does not wait for the registry
     * @throws Exception if the watch could not be set up; it is tried again
     */
    Watch watch(String service, WatchListener listener) throws Exception;

    /** A watch that is set up. */
    interface Watch extends AutoCloseable {

        /** Ends the watch; calling it again has no effect. */
        @Override
        void close();
    }

    /** Told of changes in a registry. */
    interface WatchListener {

        /** The service's list may have changed, or the connection is new: it is looked up again. */
        void changed();

        /**
         * The watch has ended and will report nothing more: it is closed and a new one set up.
         *
         * @param cause why
         */
        void lost(Exception cause);
    }
}
