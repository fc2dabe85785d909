package io.rollcall.registry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * One configured registry: its name, its two roles and how it wants to be treated. A bean of this type, of type {@link Registrar}
 * or of type {@link Resolver} adds a registry of the application's own; those that the properties name are made by a
 * {@link RegistryFactory}.
 *
 * @param name the registry's name, by which state, metrics and threads are told apart
 * @param type its kind, such as {@code redis}
 * @param url where it is, without any secret
 * @param timing how often and how long
 * @param address the address to register there, or null for the chosen one
 * @param registrar registers, or null if the registry is only read
 * @param resolver finds, or null if the registry is only written
 * @param client closed last, after everything has left; must not throw
 */
public record Registry(
        String name,
        String type,
        String url,
        Timing timing,
        @Nullable String address,
        @Nullable Registrar registrar,
        @Nullable Resolver resolver,
        Client client) {

    /**
     * How often and how long.
     *
     * @param interval between two renewals; zero if the registry itself checks whether the instance is alive
     * @param ttl after which the registry forgets an instance that was not renewed
     * @param timeout the hard limit of every single call
     */
    public record Timing(Duration interval, Duration ttl, Duration timeout) {

        /** The timing of a registry that sets none: 5 s, 15 s and 3 s. */
        public static final Timing DEFAULT =
                new Timing(Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofSeconds(3));
    }

    /** What a registry's two roles share and the end of the application closes. */
    @FunctionalInterface
    public interface Client extends AutoCloseable {

        /** Nothing to close. */
        Client NONE = () -> {};

        /** Closes connections and ends threads; calling it again has no effect. */
        @Override
        void close();
    }
}
