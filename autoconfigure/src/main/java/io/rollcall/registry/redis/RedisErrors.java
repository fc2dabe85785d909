package io.rollcall.registry.redis;

import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandInterruptedException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import io.rollcall.registry.RefusedException;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.QueryTimeoutException;

/** Tells the server's answers apart, and an answer from none. */
final class RedisErrors {

    /** What the server's errors contain, and what it means. Redis 6 and 7 name a lack of rights within a script differently. */
    private static final Map<String, String> REFUSALS = Map.of(
            "WRONGPASS", "it knows no such user and password",
            "NOAUTH", "it asks for a password",
            "NOPERM", "the user lacks the right to a command, key or channel",
            "ACL failure in script", "the user lacks the right to a command, key or channel",
            "The user executing the script can't", "the user lacks the right to a command, key or channel");

    private RedisErrors() {}

    /** The exception to throw if the server refuses the client, or null if it does not. */
    static @Nullable RefusedException refusal(Throwable thrown) {
        return REFUSALS.entrySet().stream()
                .filter(refusal -> says(thrown, refusal.getKey()))
                .findFirst()
                .map(refusal -> new RefusedException("Redis refuses: " + refusal.getValue(), thrown))
                .orElse(null);
    }

    /** Whether the server answered, if only with an error. */
    static boolean answered(Throwable thrown) {
        return causes(thrown).anyMatch(RedisCommandExecutionException.class::isInstance);
    }

    /** Whether the server is one to write to no longer, or to read from: it has become a replica, and keeps its connections. */
    static boolean demoted(Throwable thrown) {
        return says(thrown, "READONLY") || says(thrown, "MASTERDOWN");
    }

    /** Whether the server took too long, by its timeout or by an interrupt. Some calls throw Lettuce's own exceptions. */
    static boolean unanswered(Throwable thrown) {
        return causes(thrown)
                .anyMatch(cause -> cause instanceof QueryTimeoutException
                        || cause instanceof RedisCommandTimeoutException
                        || cause instanceof RedisCommandInterruptedException);
    }

    /** Whether there was a connection and it broke. */
    static boolean disconnected(Throwable thrown) {
        return !answered(thrown)
                && !unanswered(thrown)
                && causes(thrown).anyMatch(RedisException.class::isInstance)
                && causes(thrown).noneMatch(RedisConnectionException.class::isInstance);
    }

    /** Whether the server does not know a script by its digest. */
    static boolean noScript(Throwable thrown) {
        return says(thrown, "NOSCRIPT");
    }

    private static boolean says(Throwable thrown, String text) {
        return causes(thrown)
                .map(Throwable::getMessage)
                .filter(Objects::nonNull)
                .anyMatch(message -> message.contains(text));
    }

    private static Stream<Throwable> causes(Throwable thrown) {
        return Stream.iterate(thrown, Objects::nonNull, Throwable::getCause);
    }
}
